import JSON

/// A purchase, as its shop signed it. Its strings are secret like a key, because anyone who has them can submit them.
public struct PurchaseProof: Sendable, Equatable {
  /// The shop that the purchase comes from.
  public let platform: PurchasePlatform
  private let texts: [CodingKeys: SecretText]

  /// The maximum length of a string of a proof, in bytes of UTF-8.
  public static let maximumBytes = 65_536

  /// - Parameter texts: those of the platform's ``PurchasePlatform/proofMembers``; any other is left out.
  public init(_ platform: PurchasePlatform, _ texts: [CodingKeys: SecretText]) {
    self.platform = platform
    self.texts = texts.filter { platform.proofMembers.contains($0.key) }
  }

  /// The string of a member; nil for what the platform's proofs do not have.
  public subscript(member: CodingKeys) -> SecretText? { texts[member] }
}

extension PurchaseProof: Codable {
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let platform = try members.decode(PurchasePlatform.self, forKey: .platform)
    let texts: [CodingKeys: SecretText] = try CodingKeys.texts.reduce(into: [:]) {
      $0[$1] = try members.decodeIfPresent(ProofText.self, forKey: $1)?.text
    }
    for member in CodingKeys.texts where !platform.proofMembers.contains(member) && texts[member] != nil {
      throw Self.surplus(member, for: platform, in: members.codingPath)
    }
    for member in platform.proofMembers where texts[member] == nil {
      throw Self.missing(member, for: platform, in: members.codingPath)
    }
    self.init(platform, texts)
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(platform, forKey: .platform)
    for member in platform.proofMembers { try members.encodeIfPresent(texts[member], forKey: member) }
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
