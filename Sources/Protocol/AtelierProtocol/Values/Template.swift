/// A template of the hairstyle library.
public struct Template: Codable, Sendable, Equatable {
  /// The id, for `generate` as `templateId`.
  public var id: String
  /// A short name, for a button.
  public var name: String
  /// The category.
  public var category: TemplateCategory
  /// The description of the hairstyle that is sent to the provider.
  public var prompt: String
  /// Further terms to find the template by.
  public var tags: [String]
  /// The initial number of uses plus the uses on this machine.
  public var popularity: Int
  /// The path of a picture of the hairstyle, which is sent to the provider if the request has fewer than two
  /// references.
  @HostPath public var reference: String?
  /// The path of a small picture, for a list.
  @HostPath public var thumbnail: String?

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

/// The category of a template.
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
  /// What is in fashion.
  case trendy
  /// Beards.
  case beard
}

/// Why a file of the operator's templates is not used.
public struct TemplateProblem: Codable, Sendable, Hashable {
  /// The name of the file in the folder `templates`, or the folder itself if it cannot be read.
  public var file: String
  /// The line in the file, from 1; absent if the problem is not in one line.
  public var line: Int?
  /// What is wrong and what is expected, in one sentence.
  public var message: String

  public init(file: String, line: Int? = nil, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  /// The problem on one line, in the form that compilers use.
  public var sentence: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(message)" }
}
