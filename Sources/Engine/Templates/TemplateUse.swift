/// What a generation takes from the template it names, as it was when the generation began.
public struct TemplateUse: Sendable, Equatable {
  /// What a hairdresser would say of the hairstyle.
  public var words: String
  /// The path of the template's own picture of the hair; nil when it has none, or when the pictures of the request
  /// leave no room for it.
  public var reference: String?

  public init(words: String, reference: String? = nil) {
    self.words = words
    self.reference = reference
  }
}
