import Crypto
import Encodings
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

  @Test("the reference of a checkout says what is paid, and nobody else can make one")
  func references() {
    let order = Order(account: "guest-é.1", product: "bundle_8", title: "8 Bilder", credits: 8)
    let reference = order.reference(signedWith: secret)
    #expect(Order(reference: reference, signedWith: secret) == order)
    #expect(Order(reference: reference, signedWith: secret + [1]) == nil)
    for text in ["", ".", "a.b", reference + "A", String(reference.dropFirst()), "\(reference).x"] {
      #expect(Order(reference: text, signedWith: secret) == nil, "\(text)")
    }
    let cookie = SessionCookies(port: nil, key: secret, isSecure: true).value(of: Session(account: "a", issued: now))
    #expect(Order(reference: cookie, signedWith: secret) == nil)
  }
}
