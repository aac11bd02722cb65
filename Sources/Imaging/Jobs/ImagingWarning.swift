/// Something the person should know about a picture that was made nevertheless.
public struct ImagingWarning: Codable, Sendable, Equatable {
  /// The stable name, as it goes over the wire: `low_resolution`, `several_faces`, `tight_crop`; more may come.
  public var kind: String
  /// One sentence a person can act on.
  public var message: String

  public init(kind: String, message: String) {
    self.kind = kind
    self.message = message
  }
}
