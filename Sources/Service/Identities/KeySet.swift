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
  private(set) var keys: [VerificationKey] = []
  /// The others, by the ids that they have.
  private(set) var unusable: [(id: String?, reason: UnusableKey)] = []

  /// Reads a document; keys that are not understood verify nothing.
  /// - Throws: ``KeySetFailure``.
  init(_ document: String) throws(KeySetFailure) {
    let json = try? JSONValue(parsing: Array(document.utf8).span, maximumDepth: 16, maximumValues: Self.maximumValues)
    guard let keys = json?["keys"]?.array else { throw .noKeySet }
    guard keys.count <= Self.maximumKeys else { throw .tooManyKeys }
    for key in keys {
      do throws(UnusableKey) {
        self.keys.append(try VerificationKey(key))
      } catch {
        unusable.append((key["kid"]?.string, error))
      }
    }
  }

  /// Whether a key has this id.
  func has(_ id: String) -> Bool { keys.contains { $0.hasID(id) } }

  /// Why the key that the header of `token` names cannot be used; nil if there is none of that name, or one that can. A
  /// token that names none means the only key that there is.
  func reasonAgainstKey(namedBy token: IdentityToken) -> UnusableKey? {
    guard let id = token.keyID else { return keys.isEmpty && unusable.count == 1 ? unusable.first?.reason : nil }
    guard !has(id) else { return nil }
    return unusable.first { $0.id.map { ExactText.areSame($0, id) } ?? false }?.reason
  }

  /// The keys that the header of `token` names: those with its `kid`, or if it has none, the only key that there is.
  func keys(namedBy token: IdentityToken) -> [VerificationKey] {
    guard let id = token.keyID else { return keys.count == 1 ? keys : [] }
    return keys.filter { $0.hasID(id) }
  }
}

extension VerificationKey {
  fileprivate func hasID(_ other: String) -> Bool { id.map { ExactText.areSame($0, other) } ?? false }
}
