import AtelierProtocol
import JSONRPC

/// A hairstyle as it is written in a file.
struct TemplateRecord: Codable, Sendable, Equatable {
  @LimitedText<TemplateIDRule> var id: String
  @Limited<TemplateNameLength> var name: String?
  var category: TemplateCategory?
  @Limited<TemplatePromptLength> var prompt: String?
  @Limited<TemplateTags> var tags: [String]?
  @Limited<TemplatePopularity> var popularity: Int?
  @Limited<TemplatePictureRule> var reference: String?
  @Limited<TemplatePictureRule> var thumbnail: String?
  var retired: Bool?

  /// The file as a whole.
  struct File: Codable, Sendable, Equatable {
    var templates: [TemplateRecord]
  }

  /// The first member that is missing.
  var missingMember: String? {
    if retired == true { return nil }
    if name == nil { return "name" }
    if category == nil { return "category" }
    return prompt == nil ? "prompt" : nil
  }

  /// - Parameter folder: where its pictures are.
  func definition(in folder: String) -> TemplateDefinition {
    TemplateDefinition(
      Template(
        id: id, name: name ?? id, category: category ?? .trendy, prompt: prompt ?? "", tags: tags ?? [],
        popularity: popularity ?? 0, reference: reference.map { "\(folder)/\($0)" },
        thumbnail: thumbnail.map { "\(folder)/\($0)" }), isRetired: retired ?? false)
  }
}
