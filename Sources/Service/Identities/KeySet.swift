import Encodings
import JSON

/// The keys of an issuer: a JSON Web Key Set (RFC 7517 section 5).
struct KeySet: Sendable {
  static let maximumBytes = 1 << 20
  /// More would be no issuer's, but a way to make verifications slow.
  static let maximumKeys = 100
  /// Above this, a set of any number of keys is refused unread.
  private static let maximumValues = 100_000

  /// Those that are understood.
  let keys: [VerificationKey]

  /// Reads a document; keys that are not understood are left out.
  /// - Throws: ``KeySetFailure``.
  init(_ document: String) throws(KeySetFailure) {
    let json = try? JSONValue(parsing: Array(document.utf8).span, maximumDepth: 16, maximumValues: Self.maximumValues)
    guard let keys = json?["keys"]?.array else { throw .noKeySet }
    guard keys.count <= Self.maximumKeys else { throw .tooManyKeys }
    self.keys = keys.compactMap(VerificationKey.init)
  }

  /// Whether a key has this id.
  func has(_ id: String) -> Bool { keys.contains { $0.hasID(id) } }

  /// The keys that the header of `token` names: those with its `kid`, or if it has none, the only key that there is.
  func keys(namedBy token: IdentityToken) -> [VerificationKey] {
    guard let id = token.keyID else { return keys.count == 1 ? keys : [] }
    return keys.filter { $0.hasID(id) }
  }
}

extension VerificationKey {
  fileprivate func hasID(_ other: String) -> Bool { id.map { ExactText.areSame($0, other) } ?? false }
}
