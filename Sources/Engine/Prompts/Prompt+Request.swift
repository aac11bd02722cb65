import AtelierProtocol

extension Prompt {
  /// The prompt of one picture of `request`.
  ///
  /// - Parameter variation: 0 for the first picture of a request, 1 for the second…: each is told to differ.
  /// - Returns: nil for a recipe whose words are not ours to write, and where the user's are missing.
  public init?(for request: Generate, variation: Int) {
    switch request.recipe {
    case .headshot:
      self = .headshot(request.style ?? Style(), variation: variation)
    case .edit, .create:
      guard let words = request.prompt.flatMap(UserWords.init) else { return nil }
      let references = request.references?.count ?? 0
      self =
        request.recipe == .edit
        ? .edit(words, references: references, variation: variation, temperature: request.temperature)
        : .create(words, references: references, variation: variation, temperature: request.temperature)
    case .hairstyle, .places:
      return nil
    }
  }
}
