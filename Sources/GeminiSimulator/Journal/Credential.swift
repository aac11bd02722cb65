/// How a request says who it is. The secret itself is not kept.
public struct Credential: Sendable, Hashable {
  public enum Place: String, Sendable {
    case none
    /// `x-goog-api-key`.
    case header
    /// `?key=`, which puts the key into URLs and logs.
    case query
    /// `Authorization: Bearer`.
    case bearer
  }

  public var place: Place
  /// FNV-1a (64 bits) of the key as hexadecimal digits, to tell keys apart; empty when there is none.
  public var fingerprint: String
  /// True when the simulator takes the key for a wrong one.
  public var isBad: Bool

  init(place: Place, key: String) {
    self.place = place
    fingerprint = place == .none ? "" : Checksum.hexadecimal(Checksum.fnv1a(key.utf8))
    isBad = key.lowercased().hasPrefix("bad")
  }
}
