import Localization

/// Something that a person should know about a result.
public struct Warning: Codable, Sendable, Equatable {
  /// The stable name of the warning, such as `low_resolution`, `several_faces` or `tight_crop`; more may be added.
  public var kind: String
  /// What the person should know and can do, in one or two sentences.
  public var message: Sentence

  public init(kind: String, message: Sentence) {
    self.kind = kind
    self.message = message
  }
}
