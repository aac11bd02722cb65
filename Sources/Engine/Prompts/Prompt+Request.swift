import AtelierProtocol

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
