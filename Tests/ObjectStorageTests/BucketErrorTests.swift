import CurlHTTP
import Support
import Testing

@testable import ObjectStorage

@Suite("An error of a bucket")
struct BucketErrorTests {
  private static let time = SigningTime(secondsSince1970: 1_440_938_160)

  private static func error(_ answer: ScriptedClient.Answer) throws -> BucketError {
    BucketError(try answer(HTTPRequest(.get, "")), signedAt: time)
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
    (ScriptedClient.error(403, "SomethingNew"), .accessDenied), (ScriptedClient.error(400, "SomethingNew"), .unexpected),
    (ScriptedClient.error(418, "SomethingNew"), .unexpected), (ScriptedClient.error(599, "SomethingNew"), .unexpected),
    (ScriptedClient.answer(403), .accessDenied), (ScriptedClient.answer(504, "<html><br></html>"), .busy),
    (ScriptedClient.answer(302), .elsewhere), (ScriptedClient.answer(405), .unsupported),
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

  @Test("every error is one sentence")
  func sentences() {
    let kinds: [BucketError.Kind] = [
      .unreachable(.tls), .unreachable(.connect), .busy, .unknownKey, .wrongSignature, .expiredCredentials,
      .clockSkew(aheadBySeconds: 7), .clockSkew(aheadBySeconds: nil), .accessDenied, .noSuchBucket, .elsewhere,
      .otherContent, .tooLarge, .damaged, .full, .unsupported, .badName, .unexpected, .cancelled,
    ]
    for kind in kinds {
      let text = "\(BucketError(kind, status: 400))"
      #expect(text.hasSuffix(".") && text.first?.isUppercase == true && !text.contains("\n"), "\(text)")
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
