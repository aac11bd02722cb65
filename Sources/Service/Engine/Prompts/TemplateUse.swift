/// The contribution of the template a generation names, as it was when the generation began.
public struct TemplateUse: Sendable, Equatable {
  /// A hairdresser's description of the hairstyle.
  public var words: String
  /// The path of the template's own picture of the hair; nil when it has none, or when the request already has the
  /// maximum number of pictures.
  public var reference: String?

  public init(words: String, reference: String? = nil) {
    self.words = words
    self.reference = reference
  }
}
