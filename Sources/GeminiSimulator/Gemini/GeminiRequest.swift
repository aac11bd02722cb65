import JSON

/// A request for content that has been found good.
struct GeminiRequest: Sendable {
  var model: GeminiModel
  var wantsText = true
  var wantsImage = true
  var wantsThoughts = false
  var aspectRatio: String
  var imageSize = "1K"
  /// Of the text and the pictures of the request.
  var textTokens: Int
  var imageTokens: Int

  /// The size of the picture to make, as the API would make it.
  var pictureSize: PictureSize { model.size(aspectRatio: aspectRatio, imageSize: imageSize) }

  static func tokens(_ text: String) -> Int { (text.utf8.count + 3) / 4 }

  /// Reads what `ProtoReader` has checked.
  /// - Parameter facts: what is known of the request, filled as far as it is understood, also when it is refused.
  init(_ json: JSONObject, model: GeminiModel, facts: inout RequestFacts) throws(HTTPAnswer) {
    self.model = model
    facts.json = .object(Self.withoutData(json))
    var contents = GeminiContents(model: model, facts: facts)
    defer { facts = contents.facts }
    try contents.read(json["contents"]?.array ?? [])
    aspectRatio = contents.firstUserImage.map { model.aspectRatio(nearestTo: $0) } ?? "1:1"
    let instructions = json["systemInstruction"]?["parts"]?.array ?? []
    textTokens = instructions.compactMap { $0["text"]?.string }.reduce(contents.textTokens) { $0 + Self.tokens($1) }
    imageTokens = contents.facts.images.count * 258
    if model.makesImages, json["tools"]?.array?.contains(where: { $0["functionDeclarations"] != nil }) == true {
      throw .googleError(400, "Function calling is not enabled for models/\(model.id)")
    }
    try read(config: json["generationConfig"]?.object ?? [:])
  }

  /// The request, with the data of its pictures replaced by their length.
  private static func withoutData(_ object: JSONObject) -> JSONObject {
    JSONObject(
      members: object.map { key, value in
        guard key == "inlineData", var blob = value.object, let data = blob["data"]?.string else {
          return (key, withoutData(value))
        }
        blob["data"] = .string("<\(data.utf8.count) letters>")
        return (key, .object(blob))
      })
  }

  private static func withoutData(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object): .object(withoutData(object))
    case .array(let array): .array(array.map(withoutData))
    default: value
    }
  }

  // MARK: generationConfig

  private static let ranges: KeyValuePairs<String, ClosedRange<Double>> = [
    "temperature": 0...2, "topP": 0...1, "topK": 1...1000, "maxOutputTokens": 1...65536,
  ]

  private mutating func read(config: JSONObject) throws(HTTPAnswer) {
    for (name, range) in Self.ranges {
      guard let value = config[name], let number = value.double ?? value.string.flatMap(Double.init),
        !range.contains(number)
      else { continue }
      let place = "* GenerateContentRequest.generation_config.\(ProtoReader.snakeCase(name))"
      throw .googleError(400, "\(place): must be in the range [\(range.lowerBound), \(range.upperBound)]\n")
    }
    wantsImage = model.makesImages
    let modalities = config["responseModalities"]?.array ?? []
    let known = model.makesImages ? ["IMAGE", "TEXT"] : ["TEXT"]
    guard modalities.allSatisfy({ known.contains($0.string ?? "") || model.makesImages && $0.string != "AUDIO" }),
      model.makesImages || config["imageConfig"] == nil
    else {
      let combinations = model.makesImages ? "* IMAGE, TEXT\n* IMAGE\n* TEXT\n" : "* TEXT\n"
      throw .googleError(
        400,
        "The requested combination of response modalities is not supported by the model. models/\(model.id) accepts "
          + "the following combination of response modalities:\n\(combinations)")
    }
    if model.makesImages { try checkTextOptions(config) }
    if model.makesImages, modalities.contains(where: { $0.string != nil }) {
      wantsText = modalities.contains("TEXT")
      wantsImage = modalities.contains("IMAGE")
    }
    if let image = config["imageConfig"]?.object { try read(image: image) }
    if let thinking = config["thinkingConfig"]?.object { try read(thinking: thinking) }
  }

  /// What a model that makes pictures does not do.
  private func checkTextOptions(_ config: JSONObject) throws(HTTPAnswer) {
    guard config["candidateCount"]?.double ?? 1 == 1 else {
      throw .googleError(400, "Multiple candidates is not enabled for this model")
    }
    if let type = config["responseMimeType"]?.string, type != "text/plain" {
      throw .googleError(400, "JSON mode is not enabled for models/\(model.id)")
    }
    if config["responseSchema"] != nil || config["responseJsonSchema"] != nil {
      throw .googleError(400, "Response schema is not enabled for models/\(model.id)")
    }
  }

  private mutating func read(image: JSONObject) throws(HTTPAnswer) {
    aspectRatio = try choice(image, "aspectRatio", model.aspectRatios.keys.sorted()) ?? aspectRatio
    imageSize = try choice(image, "imageSize", model.imageSizes) ?? imageSize
  }

  private func choice(_ image: JSONObject, _ name: String, _ allowed: [String]) throws(HTTPAnswer) -> String? {
    guard let value = image[name]?.string, !allowed.contains(value) else { return image[name]?.string }
    let field = ProtoReader.snakeCase(name)
    let list = allowed.map { "'\($0)'" }.joined(separator: ", ")
    throw .googleError(
      400,
      allowed.isEmpty
        ? "\(field) is not supported for models/\(model.id)."
        : "\(field) must be one of \(list) for models/\(model.id), not \"\(value)\".")
  }

  private mutating func read(thinking: JSONObject) throws(HTTPAnswer) {
    wantsThoughts = thinking["includeThoughts"]?.bool ?? false
    guard let levels = model.thinkingLevels else {
      throw .googleError(400, "Thinking is not enabled for models/\(model.id)")
    }
    guard let level = thinking["thinkingLevel"]?.string else { return }
    guard levels.contains(level) else {
      let name = levels.isEmpty ? "" : " \(level)"
      throw .googleError(400, "Thinking level\(name) is not supported for this model.")
    }
    guard thinking["thinkingBudget"] == nil else {
      throw .googleError(400, "You can only set only one of thinking budget and thinking level.")
    }
  }
}
