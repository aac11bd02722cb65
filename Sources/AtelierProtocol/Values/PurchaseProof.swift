import JSON

/// A purchase, as its store signed it. Its strings are secret like a key, because anyone who has them can submit them.
public enum PurchaseProof: Sendable, Equatable {
  /// A StoreKit transaction: a JWS in its compact form.
  case apple(signedTransaction: SecretText)
  /// A Play Billing purchase: its JSON, byte for byte, and the signature of that in base64.
  case google(purchaseData: SecretText, signature: SecretText)

  /// The store that the purchase comes from.
  public var platform: PurchasePlatform {
    switch self {
    case .apple: .apple
    case .google: .google
    }
  }

  /// The maximum length of a string of a proof, in bytes of UTF-8.
  public static let maximumBytes = 65_536
}

extension PurchaseProof: Codable {
  enum CodingKeys: String, CodingKey {
    /// The store that the purchase comes from.
    case platform
    /// With `apple`: the signed transaction (JWS), as StoreKit returns it.
    case signedTransaction
    /// With `google`: the JSON of the purchase, byte for byte as Play Billing returns it.
    case purchaseData
    /// With `google`: the signature of `purchaseData`, in base64.
    case signature
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let platform = try members.decode(PurchasePlatform.self, forKey: .platform)
    let texts: [CodingKeys: SecretText] = try [.signedTransaction, .purchaseData, .signature].reduce(into: [:]) {
      $0[$1] = try members.decodeIfPresent(ProofText.self, forKey: $1)?.text
    }
    func text(_ member: CodingKeys) throws(JSONDecodingFailure) -> SecretText {
      guard let text = texts[member] else { throw Self.missing(member, for: platform, in: members.codingPath) }
      return text
    }
    func refuse(_ member: CodingKeys) throws(JSONDecodingFailure) {
      if texts[member] != nil { throw Self.surplus(member, for: platform, in: members.codingPath) }
    }
    switch platform {
    case .apple:
      try refuse(.purchaseData)
      try refuse(.signature)
      self = .apple(signedTransaction: try text(.signedTransaction))
    case .google:
      try refuse(.signedTransaction)
      self = .google(purchaseData: try text(.purchaseData), signature: try text(.signature))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(platform, forKey: .platform)
    switch self {
    case .apple(let signedTransaction):
      try members.encode(signedTransaction, forKey: .signedTransaction)
    case .google(let purchaseData, let signature):
      try members.encode(purchaseData, forKey: .purchaseData)
      try members.encode(signature, forKey: .signature)
    }
  }
}

extension PurchaseProof {
  private static func missing(
    _ member: CodingKeys, for platform: PurchasePlatform, in path: [any CodingKey]
  ) -> JSONDecodingFailure {
    let path = pointer(path + [member])
    return JSONDecodingFailure(
      path: path, expected: ProofText.expected,
      message: "\(path) is missing; with the platform \(platform.rawValue) it must be \(ProofText.expected).")
  }

  private static func surplus(
    _ member: CodingKeys, for platform: PurchasePlatform, in path: [any CodingKey]
  ) -> JSONDecodingFailure {
    let path = pointer(path + [member])
    return JSONDecodingFailure(
      path: path, expected: "nothing with the platform \(platform.rawValue)",
      message: "\(path) does not belong to the platform \(platform.rawValue): leave it out.")
  }

  fileprivate static func pointer(_ path: [any CodingKey]) -> String { path.map { "/\($0.stringValue)" }.joined() }
}

/// A checked string of a proof. Errors never quote an invalid one, because it may be a proof nevertheless.
package struct ProofText: Codable {
  static let expected = "a string of 1 to \(PurchaseProof.maximumBytes) bytes"

  var text: SecretText

  package init(_ text: SecretText) { self.text = text }

  package init(from decoder: any Decoder) throws {
    guard let text = try? String(from: decoder), (1...PurchaseProof.maximumBytes).contains(text.utf8.count) else {
      let path = PurchaseProof.pointer(decoder.codingPath)
      throw JSONDecodingFailure(path: path, expected: Self.expected, message: "\(path) must be \(Self.expected).")
    }
    self.text = SecretText(text)
  }

  package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

/// A store that signs its purchases.
public enum PurchasePlatform: String, Codable, Sendable, CaseIterable {
  /// The App Store.
  case apple
  /// Google Play.
  case google
}

/// The identity of a person. The host has to verify it; the service does not.
public struct Identity: Codable, Sendable, Equatable {
  /// The identity provider, such as `apple`, `google` or `email`.
  @LimitedText<IdentityProviderName> public var provider: String
  /// The identity provider's id of the person, which never changes.
  @LimitedText<IdentitySubject> public var subject: String

  public init(provider: String, subject: String) {
    self.provider = provider
    self.subject = subject
  }
}
