import AtelierClient
import Crypto
import Encodings
import JSON
import Testing

@testable import WebHost

@Suite("The reports of a processor of payments")
struct WebhookTests {
  private let secret = Array("a secret of the processor".utf8)
  private let body = Array(#"{"type":"paid"}"#.utf8)
  private let now: Int64 = 1_795_000_000

  private func signature(_ text: String, _ body: [UInt8]) -> String {
    let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8) + body, using: SymmetricKey(data: secret))
    return "v1,\(Base64.encoded(Array(code)))"
  }

  private func isGenuine(
    body: [UInt8]? = nil, id: String = "msg_1", time: String? = nil, signatures: String? = nil, secret: [UInt8]? = nil
  ) -> Bool {
    Webhook.isGenuine(
      body ?? self.body, id: id, timestamp: time ?? "\(now)",
      signatures: signatures ?? signature("msg_1.\(now).", self.body), secret: secret ?? self.secret, now: now)
  }

  @Test("a report is genuine with the signature of its id, time and body, also among others")
  func genuine() {
    #expect(isGenuine())
    #expect(isGenuine(signatures: "v1,AAAA v2,xyz \(signature("msg_1.\(now).", body))"))
    for seconds in [-300, 300] as [Int64] {
      #expect(isGenuine(time: "\(now + seconds)", signatures: signature("msg_1.\(now + seconds).", body)))
    }
  }

  @Test("a report is not genuine if anything of it is another, or old")
  func forged() {
    #expect(!isGenuine(body: body + [32]) && !isGenuine(id: "msg_2") && !isGenuine(time: "\(now + 1)"))
    #expect(!isGenuine(secret: secret + [1]) && !isGenuine(signatures: "") && !isGenuine(signatures: "v1,"))
    for time in ["\(now - 301)", "\(now + 301)", "", "x", "\(Int64.max)", "\(Int64.min)", "\(Int64.min + now)"] {
      #expect(!isGenuine(time: time, signatures: signature("msg_1.\(time).", body)), "\(time)")
    }
  }

  @Test("the example of the specification has its signature")
  func vector() {
    // standard-webhooks/standard-webhooks, the vector of its reference libraries.
    let secret = Base64.decoded("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw") ?? []
    #expect(
      Webhook.isGenuine(
        Array(#"{"test": 2432232314}"#.utf8), id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: "1614265330",
        signatures: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", secret: secret, now: 1_614_265_330))
  }

  @Test("the reference of a checkout says what is paid, and nobody else can make one", arguments: [
    nil, Timestamp(milliseconds: 1_795_000_000_123),
  ])
  func references(since: Timestamp?) throws {
    let order = Order(account: "guest-é.1", since: since, product: "bundle_8", title: "8 Bilder", credits: 8)
    let text = order.reference(signedWith: [secret])
    let reference = try #require(OrderReference(text))
    #expect(reference.unproven == order)
    #expect(reference.order(signedWith: [secret]) == order && reference.order(signedWith: [secret + [1], secret]) == order)
    #expect(reference.order(signedWith: [secret + [1]]) == nil && reference.order(signedWith: []) == nil)
    let other = try #require(OrderReference(order.reference(signedWith: [secret + [1], secret])))
    #expect(other.unproven == order && other.order(signedWith: [secret]) == nil)
    for changed in ["", ".", "a.b", text + "A", String(text.dropFirst()), "\(text).x"] {
      #expect(OrderReference(changed)?.order(signedWith: [secret]) == nil, "\(changed)")
    }
    let cookie = SessionCookies(port: nil, keys: [secret], isSecure: true).value(of: Session(account: "a", issued: now))
    #expect(OrderReference(cookie) == nil)
  }

  @Test("a reference is none without a name and a number of credits that can be granted", arguments: [
    ("", "8 pictures", 8), ("anna", " ", 8), ("anna", "8 pictures", 0), ("anna", "8 pictures", 1_000_001),
  ])
  func unfitReferences(account: String, title: String, credits: Int) {
    let order = Order(account: AccountID(rawValue: account), since: nil, product: "b", title: title, credits: credits)
    #expect(OrderReference(order.reference(signedWith: [secret])) == nil)
  }
}

@Suite("What a report of a payment says")
struct PaymentReportTests {
  private static let plain = #""type":"refunded","paymentId":"pay_1","reference":"r","productId":"p""#

  private static func report(_ more: String, plain: String = Self.plain) throws(WebError) -> PaymentReport {
    try PaymentReport(Array("{\(plain)\(more.isEmpty ? "" : ",")\(more)}".utf8))
  }

  @Test("a report is about the whole payment or a part of it, in each usual form", arguments: [
    ("", 8, nil), (#""credits":null,"refundId":null"#, 8, nil), (#""credits":8"#, 8, nil),
    (#""credits":8,"refundId":null"#, 8, nil), (#""refundId":"re_1""#, 8, "re_1"),
    (#""credits":null,"refundId":"re_1""#, 8, "re_1"), (#""credits":3,"refundId":"re_1","other":[{"a":1}]"#, 3, "re_1"),
  ] as [(String, Int, String?)])
  func parts(more: String, credits: Int, refund: String?) throws {
    let order = Order(account: "anna", since: nil, product: "p", title: "8 pictures", credits: 8)
    let report = try Self.report(more)
    #expect(report.refund == refund)
    #expect(try report.credits(of: order) == credits)
  }

  @Test("a report that cannot be understood names the member that the reporter sent", arguments: [
    (#""credits":3"#, "/refundId"), (#""credits":0,"refundId":"r""#, "/credits"), (#""credits":9"#, "/credits"),
    (#""credits":"3","refundId":"r""#, "/credits"), (#""refundId":"""#, "/refundId"), (#""refundId":7"#, "/refundId"),
    (#""refundId":"\#(String(repeating: "r", count: 121))""#, "/refundId"), (#""paymentId":"pay_2""#, ""),
    (#""other":{"a":1,"a":1}"#, ""),
  ])
  func unfit(more: String, path: String) throws {
    let order = Order(account: "anna", since: nil, product: "p", title: "8 pictures", credits: 8)
    let error = try #require(throws: WebError.self) { _ = try Self.report(more).credits(of: order) }
    #expect(error.status == 400 && error.kind == "invalid_params" && error.details["path"] == .string(path))
    #expect(path.isEmpty || error.message.hasPrefix(path))
  }

  @Test("a report without what it needs is refused, also with null in its place", arguments: [
    ("type", "null"), ("type", #""maybe""#), ("paymentId", "null"), ("paymentId", #""""#),
    ("paymentId", "\"\(String(repeating: "p", count: 121))\""), ("reference", "null"), ("productId", "8"),
  ])
  func missing(member: String, value: String) throws {
    let plain = ["type": #""paid""#, "paymentId": #""pay_1""#, "reference": #""r""#, "productId": #""p""#]
      .merging([member: value]) { $1 }.map { "\"\($0)\":\($1)" }.joined(separator: ",")
    let error = try #require(throws: WebError.self) { _ = try Self.report("", plain: plain) }
    #expect(error.details["path"] == .string("/\(member)"))
  }

  @Test("the longest ids make keys that the service takes")
  func keys() {
    for prefix in ["payment:", "refund:", "again:p:", "again:r:"] {
      #expect(prefix.count + PaymentReport.longestID <= IdempotencyKeyLength.maximum, "\(prefix)")
    }
  }
}
