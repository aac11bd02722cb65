import AtelierProtocol
import JSONRPC

extension GeminiProvider {
  /// The most pictures in a request (REQUIREMENTS 1.3).
  private static let maximumPictures = 3

  /// The model to ask, once everything else that can be known before is found possible with it.
  /// - Throws: `unsupported_by_provider`, `wrong_recipe_input` or `too_many_images`.
  func model(for request: ImageRequest) throws(AtelierError) -> GeminiModel {
    guard profile.recipes.contains(request.recipe) else {
      throw unsupported("Gemini cannot make the recipe “\(request.recipe.rawValue)” here: choose another provider.")
    }
    guard let model = GeminiModel(checking: request.model ?? settings.model) else {
      throw unsupported("The name of a Gemini model has letters, digits, dots and dashes, as in \(settings.model).")
    }
    try checkShape(request, model)
    if let temperature = request.temperature, !(0...2).contains(temperature) {
      throw unsupported("Gemini takes a temperature from 0 to 2.")
    }
    guard let prompt = request.prompt, prompt.contains(where: { !$0.isWhitespace }) else {
      throw AtelierError(.wrongRecipeInput, "Gemini needs words to go by: give a prompt.", provider: id)
    }
    let pictures = (request.photo == nil ? 0 : 1) + request.references.count
    guard pictures <= Self.maximumPictures else {
      throw AtelierError(
        .tooManyImages, provider: id,
        details: ["images": .number(JSONNumber(pictures)), "maximum": .number(JSONNumber(Self.maximumPictures))])
    }
    return model
  }

  private func checkShape(_ request: ImageRequest, _ model: GeminiModel) throws(AtelierError) {
    if let ratio = request.aspectRatio, !model.aspectRatios.contains(ratio) {
      throw unsupported(
        "\(model.name) makes the aspect ratios \(model.aspectRatios.joined(separator: ", ")). Choose one of them.",
        ["aspectRatios": .array(model.aspectRatios.map(JSONValue.string))])
    }
    if let size = request.size, model.size(size) == nil {
      throw unsupported(
        "\(model.name) makes pictures of the sizes \(model.sizes.joined(separator: ", ")). Choose one of them.",
        ["sizes": .array(model.sizes.map(JSONValue.string))])
    }
  }

  private func unsupported(_ sentence: String, _ details: JSONObject = [:]) -> AtelierError {
    AtelierError(.unsupportedByProvider, sentence, provider: id, details: details)
  }
}
