import AtelierProtocol

/// What a model is told for one picture: our engineered words, round the user's where there are any.
///
/// All words of ours live in this folder. They are English, whatever language the user writes, since models follow it
/// most exactly; the user's own words are passed on as they are (REQUIREMENTS 1.10).
public struct Prompt: Sendable, Equatable {
  /// The date of the words, recorded with each generation. It changes whenever one of them does.
  public static let version = "2026-11-22"

  public let text: String
  /// How freely the model is to choose, 0…2; nil leaves it to the provider.
  public let temperature: Double?
  /// Which words these are.
  public let version: String

  init(paragraphs: [String], temperature: Double?) {
    self.text = paragraphs.joined(separator: "\n\n")
    self.temperature = temperature
    self.version = Self.version
  }
}

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

/// The user's own words: any language, any script, emoji (REQUIREMENTS 1.10).
///
/// They always end a prompt. So nothing in them, no quotation mark, tag or line, can be taken for their end and for
/// words of ours again.
public struct UserWords: Sendable, Equatable {
  /// As the user wrote them, lines included, without the white space at both ends.
  public let text: String

  /// - Returns: nil when there is nothing but white space.
  public init?(_ text: String) {
    // By scalars: as a character, a space would take a mark that combines with it along.
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return nil }
    self.text = String(scalars[first...last])
  }
}

extension Prompt {
  /// The prompt of one picture of `request`.
  ///
  /// - Parameters:
  ///   - variation: 0 for the first picture of a request, 1 for the second…: each is told to differ.
  ///   - view: the side of the head a hairstyle is to be seen from; nil keeps the camera where it was.
  ///   - template: what the request's template brings with it.
  /// - Returns: nil for a recipe whose words are not ours to write, and where there is nothing to go by.
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
