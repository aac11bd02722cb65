/// A hairstyle of the library (REQUIREMENTS 1.4).
public struct Template: Codable, Sendable, Equatable {
  /// What `generate` takes as `template`.
  public var id: String
  /// For a button.
  public var name: String
  public var category: TemplateCategory
  /// The hairstyle in the words of a hairdresser, as the provider is told them.
  public var prompt: String
  /// More to find it by.
  public var tags: [String]
  /// How often it was used here, over what it began with.
  public var popularity: Int
  /// The file of a picture of the hair, which goes to the provider where there is room for it.
  public var reference: String?
  /// The file of a small picture to choose by.
  public var thumbnail: String?

  public init(
    id: String, name: String, category: TemplateCategory, prompt: String, tags: [String] = [], popularity: Int = 0,
    reference: String? = nil, thumbnail: String? = nil
  ) {
    self.id = id
    self.name = name
    self.category = category
    self.prompt = prompt
    self.tags = tags
    self.popularity = popularity
    self.reference = reference
    self.thumbnail = thumbnail
  }
}

extension Template: SchemaDescribed {
  public static let summary = "A hairstyle of the library."

  public static let members = [
    "id": "What `generate` takes as `template`.",
    "name": "For a button.",
    "prompt": "The hairstyle in the words of a hairdresser, as the provider is told them.",
    "tags": "More to find it by.",
    "popularity": "How often it was used here, over what it began with.",
    "reference": "The file of a picture of the hair, which goes to the provider where there is room for it.",
    "thumbnail": "The file of a small picture to choose by.",
  ]
}
