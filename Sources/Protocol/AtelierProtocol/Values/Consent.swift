/// A version of the terms of use that a person has accepted.
public struct Consent: Codable, Sendable, Equatable {
  /// The version, as the operator names it.
  public var version: String
  /// When the person accepted it.
  public var acceptedAt: Timestamp

  public init(version: String, acceptedAt: Timestamp) {
    self.version = version
    self.acceptedAt = acceptedAt
  }
}
