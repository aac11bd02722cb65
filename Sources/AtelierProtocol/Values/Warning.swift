/// Something a person should know about a result that is there nevertheless.
public struct Warning: Codable, Sendable, Equatable {
  /// The stable name, such as `low_resolution`, `several_faces` or `tight_crop`; more may come.
  public var kind: String
  /// One sentence a person can act on.
  public var message: String

  public init(kind: String, message: String) {
    self.kind = kind
    self.message = message
  }
}

extension Warning: SchemaDescribed {
  public static let summary = "Something a person should know about a result that is there nevertheless."

  public static let members = [
    "kind": "The stable name, such as `low_resolution`, `several_faces` or `tight_crop`; more may come.",
    "message": "One sentence a person can act on.",
  ]
}
