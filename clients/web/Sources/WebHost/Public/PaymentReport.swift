import AtelierClient
import JSON

/// What a processor reports of a payment.
struct PaymentReport: Sendable, Equatable {
  enum Kind: String, Sendable, CaseIterable {
    case paid, refunded
    /// A refund has been undone: the processor has cancelled it, or a dispute was won.
    case reinstated
  }

  /// Of an id; the keys that are made of it are longer.
  static let longestID = 120

  var kind: Kind
  var payment: String
  var reference: String
  var product: String
  /// Of a part: how many credits it is. Nil for the whole.
  var credits: Int64?
  /// The processor's id of the refund, which tells apart the parts of a payment.
  var refund: String?

  /// - Throws: `invalid_params`, which names the member of the report.
  init(_ body: [UInt8]) throws(WebError) {
    guard let members = JSONObject(signed: body) else {
      throw Self.unfit("", "a JSON object that names no member twice", subject: "A report")
    }
    // Some libraries send every member, and null for none.
    func value(_ name: String) -> JSONValue? { members.first { $0.key == name && $0.value != .null }?.value }
    guard let kind = value("type")?.string.flatMap({ Kind(rawValue: $0) }) else {
      throw Self.unfit("/type", Kind.allCases.map(\.rawValue).joined(separator: ", "), isOneOf: true)
    }
    self.kind = kind
    payment = try Self.id(value("paymentId"), "/paymentId")
    guard let reference = value("reference")?.string else {
      throw Self.unfit("/reference", "the reference that the checkout was given")
    }
    guard let product = value("productId")?.string else {
      throw Self.unfit("/productId", "the id of the product that was paid")
    }
    (self.reference, self.product) = (reference, product)
    if let value = value("credits") {
      guard let credits = value.int64 else { throw Self.unfit("/credits", "a whole number") }
      self.credits = credits
    }
    if let value = value("refundId") { refund = try Self.id(value, "/refundId") }
  }

  private static func id(_ value: JSONValue?, _ path: String) throws(WebError) -> String {
    guard let id = value?.string, (1...longestID).contains(id.unicodeScalars.count) else {
      throw unfit(path, "an id of 1 to \(longestID) characters")
    }
    return id
  }

  /// How many credits of the order this is about.
  /// - Throws: `invalid_params`.
  func credits(of order: Order) throws(WebError) -> Int {
    guard let credits else { return order.credits }
    guard (1...Int64(order.credits)).contains(credits) else {
      throw Self.unfit("/credits", "a whole number from 1 to the \(order.credits) of the payment")
    }
    guard credits == order.credits || refund != nil else {
      throw Self.unfit("/refundId", "there with a part of the credits: it tells the parts of a payment apart")
    }
    return Int(credits)
  }

  private static func unfit(
    _ path: String, _ expected: String, subject: String? = nil, isOneOf: Bool = false
  ) -> WebError {
    let expected = isOneOf ? "one of \(expected)" : expected
    return WebError(
      JSONDecodingFailure(path: path, expected: expected, message: "\(subject ?? path) must be \(expected)."))
  }
}
