/// The key that requests to a bucket are signed with. No description of it contains anything of its secrets.
public struct BucketCredentials: Sendable, Equatable {
  /// The maximum length of each part.
  public static let maximumLength = 4096

  /// The access key's id, which every signed request names.
  let accessKey: String
  /// The secret that belongs to it; it is never sent.
  let secretKey: String
  /// What temporary keys come with; sent with every request.
  let sessionToken: String?
  /// When they end, in seconds since 1970, as far as they say so.
  public let endsAt: Int?

  /// - Returns: nil when a part is empty, longer than ``maximumLength``, or has a character that is invalid in HTTP
  ///   headers.
  public init?(accessKey: String, secretKey: String, sessionToken: String? = nil, endsAt: Int? = nil) {
    for part in [accessKey, secretKey] + (sessionToken.map { [$0] } ?? []) {
      guard !part.isEmpty, part.utf8.count <= Self.maximumLength, part.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
      else { return nil }
    }
    // A slash ends the key where a signature names it.
    if accessKey.utf8.contains(UInt8(ascii: "/")) || accessKey.utf8.contains(UInt8(ascii: ",")) { return nil }
    (self.accessKey, self.secretKey, self.sessionToken) = (accessKey, secretKey, sessionToken)
    self.endsAt = endsAt
  }

  /// Whether a text has a part of the key in it, or is in one.
  func overlap(_ text: String) -> Bool {
    [accessKey, secretKey, sessionToken].compactMap(\.self).contains { text.contains($0) || $0.contains(text) }
  }
}

extension BucketCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "…" }
  public var debugDescription: String { "…" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why there is no key: a sentence for the operator, without anything of the key.
public struct BucketKeyFault: Error, Sendable, Equatable {
  public let sentence: String

  public init(sentence: String) { self.sentence = sentence }
}
