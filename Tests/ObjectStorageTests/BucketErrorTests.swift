import CurlHTTP
import Support
import Testing

@testable import ObjectStorage

@Suite("An error of a bucket")
struct BucketErrorTests {
  private static let time = SigningTime(secondsSince1970: 1_440_938_160)

  private static func error(_ answer: ScriptedClient.Answer) throws -> BucketError {
    let credentials = try #require(BucketCredentials(accessKey: "AKIDEXAMPLE", secretKey: "secret"))
    return BucketError(try answer(HTTPRequest(.get, "")), signedAt: time, with: credentials)
  }

  @Test("an answer is classified by its code, and without a known one by its status", arguments: [
    (ScriptedClient.error(403, "AccessDenied"), BucketError.Kind.accessDenied),
    (ScriptedClient.error(403, "InvalidAccessKeyId"), .unknownKey),
    (ScriptedClient.error(403, "SignatureDoesNotMatch"), .wrongSignature),
    (ScriptedClient.error(400, "ExpiredToken"), .expiredCredentials),
    (ScriptedClient.error(403, "RequestTimeTooSkewed"), .clockSkew(aheadBySeconds: nil)),
    (ScriptedClient.error(404, "NoSuchBucket"), .noSuchBucket), (ScriptedClient.error(301, "PermanentRedirect"), .elsewhere),
    (ScriptedClient.error(400, "AuthorizationHeaderMalformed"), .elsewhere),
    (ScriptedClient.error(400, "BadDigest"), .damaged), (ScriptedClient.error(503, "SlowDown"), .busy),
    (ScriptedClient.error(409, "OperationAborted"), .busy), (ScriptedClient.error(403, "QuotaExceeded"), .full),
    (ScriptedClient.error(501, "NotImplemented"), .unsupported), (ScriptedClient.error(507, "XMinioStorageFull"), .full),
    (ScriptedClient.error(403, "InvalidObjectState"), .archived),
    (ScriptedClient.error(403, "SomethingNew"), .accessDenied), (ScriptedClient.error(400, "SomethingNew"), .unexpected),
    (ScriptedClient.error(418, "SomethingNew"), .unexpected), (ScriptedClient.error(599, "SomethingNew"), .unexpected),
    (ScriptedClient.answer(403), .accessDenied), (ScriptedClient.answer(504, "<html><br></html>"), .busy),
    (ScriptedClient.answer(302), .elsewhere), (ScriptedClient.answer(405), .unsupported),
    (ScriptedClient.answer(302, "<!doctype html><p>Sign in"), .noStorage), (ScriptedClient.answer(204), .noStorage),
    (ScriptedClient.error(403, "SecondLevelDomainForbidden"), .elsewhere),
    (ScriptedClient.error(403, "UserDisable"), .accessDenied), (ScriptedClient.error(500, "XMinioStorageFull"), .full),
    (ScriptedClient.error(403, "SecurityTokenExpired"), .expiredCredentials),
  ])
  func kinds(answer: @escaping ScriptedClient.Answer, kind: BucketError.Kind) throws {
    #expect(try Self.error(answer).kind == kind)
  }

  @Test("an error about the clock says by how much it is wrong", arguments: [
    ("Sun, 30 Aug 2015 12:00:00 GMT", "is 2160 seconds ahead of"),
    ("Sun, 30 Aug 2015 13:00:00 GMT", "is 1440 seconds behind"),
    ("", "differs too much"),
  ])
  func clock(date: String, words: String) throws {
    let error = try Self.error(ScriptedClient.error(403, "RequestTimeTooSkewed", headers: [.init("Date", date)]))
    #expect("\(error)".contains(words), "\(error)")
    #expect("\(error)".contains("clock"))
  }

  @Test("a refusal names the server's status and code, and the cure where it is known", arguments: [
    (403, "SecondLevelDomainForbidden", "(HTTP 403, SecondLevelDomainForbidden): put addressing=virtual into"),
    (400, "VirtualHostDomainForbidden", "addressing=path"), (400, "AuthorizationHeaderMalformed", "region="),
    (400, "InvalidRegionName", "region=auto"), (301, "PermanentRedirect", "endpoint="),
    (404, "NoSuchBucket", "check the bucket's name"), (403, "InvalidSecurity", "HMAC keys"),
    (403, "UserDisable", "owes money"), (403, "SomethingNew", "(HTTP 403, SomethingNew)."),
    (400, "SomethingNew", "(HTTP 400, SomethingNew)."), (403, "InvalidAccessKeyId", "(HTTP 403, InvalidAccessKeyId)."),
  ])
  func cures(status: Int, code: String, words: String) throws {
    let text = "\(try Self.error(ScriptedClient.error(status, code)))"
    #expect(text.contains(words) && text.contains(code) && text.hasSuffix("."), "\(text)")
  }

  @Test("every code of the table has the form of one, and a sentence with it and its cure")
  func table() throws {
    for (code, meaning) in RefusalMeaning.all {
      let text = "\(try Self.error(ScriptedClient.error(400, code)))"
      #expect(text.contains(code), "\(text)")
      if let cure = meaning.cure { #expect(text.hasSuffix("\(cure)."), "\(text)") }
    }
  }

  @Test("a text that has not the form of a code is not told", arguments: [
    "", "ab", "lower", "UPPER", "Two Words", "AKIDEXAMPLE", "XAKIDEXAMPLEy", "Code\u{e9}", "A-b", "Ab\nC",
    String(repeating: "Ab", count: 33),
  ])
  func noCode(text: String) throws {
    let error = try Self.error(ScriptedClient.answer(403, "<Error><Code>\(text)</Code></Error>"))
    #expect(error.code == nil && "\(error)".hasSuffix("(HTTP 403)."))
  }

  private static let kinds: [BucketError.Kind] = [
    .unreachable(.tls), .unreachable(.connect), .busy, .noKey, .unknownKey, .wrongSignature, .expiredCredentials,
    .clockSkew(aheadBySeconds: 7), .clockSkew(aheadBySeconds: nil), .accessDenied, .noSuchBucket, .archived, .elsewhere,
    .noStorage, .tooLarge, .damaged, .full, .unsupported, .badName, .unexpected, .cancelled,
  ]

  @Test("every error is one sentence")
  func sentences() {
    for kind in Self.kinds {
      let text = "\(BucketError(kind, status: 400))"
      #expect(text.hasSuffix(".") && text.first?.isUppercase == true && !text.contains("\n"), "\(text)")
    }
  }

  @Test("an error that only another configuration helps lasts for ever; no other does")
  func persistence() {
    for kind in Self.kinds {
      let isForEver = [.elsewhere, .tooLarge, .unsupported, .badName].contains(kind)
      #expect((BucketError(kind, status: 403).persistence == .always) == isForEver, "\(kind)")
    }
    #expect(BucketError(.elsewhere, status: 307).persistence == .untilMended)
    #expect(BucketError(.unreachable(.badURL)).persistence == .always)
    #expect(BucketError(.unreachable(.tls)).persistence == .untilMended)
    for error in [BucketError(.busy), BucketError(.unreachable(.timedOut(.total))), BucketError(.damaged, status: 400)] {
      #expect(error.persistence == .moment && error.isTransient)
    }
  }

  @Test("an error contains nothing that the server repeats of keys and signatures", arguments: 0..<100 as Range<UInt64>)
  func secrets(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let secrets = [ScriptedBucket.secret, "AKIDEXAMPLE", "TOKEN", "AWS4-HMAC-SHA256"]
    let secret = secrets.randomElement(using: &random) ?? ""
    let bodies = [
      secret, "<Error><Code>\(secret)</Code></Error>",
      "<Error><Code>AccessDenied</Code><Message>\(secret)</Message></Error>",
      "<Error><Code>SignatureDoesNotMatch</Code><StringToSign>\(secret)</StringToSign></Error>",
      "<\(secret)></\(secret)>", "<Error><Code>RequestTimeTooSkewed</Code></Error>", "",
    ]
    let headers = [HTTPHeader("Date", secret), HTTPHeader("x-amz-bucket-region", secret), HTTPHeader("Location", secret)]
    let status = 100 + Int(random.next() % 500)
    let answer = ScriptedClient.answer(status, bodies.randomElement(using: &random) ?? "", headers: headers)
    let bucket = try ScriptedBucket([answer], tries: 1).bucket
    do {
      _ = try await bucket.objects(beginningWith: "")
    } catch {
      var dumped = ""
      dump(error, to: &dumped)
      for secret in secrets { #expect(!"\(error)\(dumped)".contains(secret), "seed \(seed)") }
    }
  }
}
