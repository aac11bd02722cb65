import AtelierProtocol

/// The instructions for a model for one picture: the engineered words, around the user's words if there are any.
///
/// All engineered words are in this folder. They are English, whatever language the user writes, since models follow
/// English most exactly; the user's own words are passed on unchanged.
public struct PicturePrompt: Sendable, Equatable {
  /// The date of the engineered words, recorded with each generation. It changes with every change to them.
  public static let version = "2026-11-22"

  public let text: String
  /// The sampling temperature, 0…2; nil leaves it to the provider.
  public let temperature: Double?
  /// The version of the engineered words.
  public let version: String

  init(paragraphs: [String], temperature: Double?) {
    self.text = paragraphs.joined(separator: "\n\n")
    self.temperature = temperature
    self.version = Self.version
  }
}

extension PicturePrompt {
  /// The prompt of one picture of `request`.
  ///
  /// - Parameters:
  ///   - variation: 0 for the first picture of a request, 1 for the second…: each is told to differ.
  ///   - view: the view of the head for a hairstyle; nil keeps the camera where it was.
  ///   - template: the contribution of the request's template.
  /// - Returns: nil for a recipe without engineered words, and for a request with nothing to go by.
  public init?(for request: Generate, variation: Int, view: View? = nil, template: TemplateUse? = nil) {
    let words = request.prompt.flatMap(UserWords.init)
    let references = (request.references?.count ?? 0) + (template?.reference == nil ? 0 : 1)
    switch request.recipe {
    case .headshot:
      self = .headshot(request.style ?? Style(), variation: variation)
    case .hairstyle:
      guard words != nil || template != nil || references > 0 else { return nil }
      self = .hairstyle(
        words, template: template?.words, references: references, view: view, variation: variation,
        temperature: request.temperature)
    case .edit:
      guard let words else { return nil }
      self = .edit(words, references: references, variation: variation, temperature: request.temperature)
    case .create:
      guard let words else { return nil }
      self = .create(words, references: references, variation: variation, temperature: request.temperature)
    case .places:
      return nil
    }
  }
}
