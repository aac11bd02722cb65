/// A hairstyle of the library.
public struct Template: Codable, Sendable, Equatable {
  /// What `generate` takes as `template`.
  public var id: String
  /// For a button.
  public var name: String
  /// Under what it is found.
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

/// Under what a hairstyle of the library is found.
public enum TemplateCategory: String, Codable, Sendable, CaseIterable {
  /// Short hair.
  case short
  /// Hair of medium length.
  case medium
  /// Long hair.
  case long
  /// Curls and waves.
  case curly
  /// Hair put up.
  case updo
  /// Braided hair.
  case braids
  /// Coloured hair.
  case color
  /// What is worn just now.
  case trendy
  /// Beards.
  case beard
}

/// What keeps a file of the operator's templates from being used.
public struct TemplateProblem: Codable, Sendable, Hashable {
  /// The file's name in the folder `templates`; the folder itself where it cannot be read.
  public var file: String
  /// Where in the file, from 1; absent where it is none of its lines.
  public var line: Int?
  /// One sentence: what is wrong, and what is expected.
  public var message: String

  public init(file: String, line: Int? = nil, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  /// The whole as one line, as compilers write it.
  public var sentence: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(message)" }
}
