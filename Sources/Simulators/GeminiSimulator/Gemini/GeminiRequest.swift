import JSON

/// A request for content that has been found good.
struct GeminiRequest: Sendable {
  var model: SimulatedModel
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
  init(_ json: JSONObject, model: SimulatedModel, facts: inout RequestFacts) throws(HTTPAnswer) {
    self.model = model
    facts.json = .object(JSONObject(members: json.filter { $0.key != "contents" }.map { ($0.key, $0.value) }))
    var contents = GeminiContents(model: model, facts: facts)
    defer { facts = contents.facts }
    try contents.read(json["contents"]?.array ?? [])
    aspectRatio = contents.firstUserImage.map { model.aspectRatio(nearestTo: $0) } ?? "1:1"
    let instructions = json["systemInstruction"]?["parts"]?.array ?? []
    textTokens = instructions.compactMap { $0["text"]?.string }.reduce(contents.textTokens) { $0 + Self.tokens($1) }
    imageTokens = contents.facts.images.count * 258
    let tools = json["tools"]?.array ?? []
    try require(
      !model.makesImages || !tools.contains { $0["functionDeclarations"] != nil },
      "Function calling is not enabled for models/\(model.id)")
    try read(config: json["generationConfig"]?.object ?? [:])
  }

  /// - Throws: an error with that message unless the condition holds.
  private func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(HTTPAnswer) {
    if !condition { throw .googleError(400, message()) }
  }

  // MARK: generationConfig

  private static let ranges: KeyValuePairs<String, ClosedRange<Double>> = [
    "temperature": 0...2, "topP": 0...1, "topK": 1...1000, "maxOutputTokens": 1...65536,
  ]

  private mutating func read(config: JSONObject) throws(HTTPAnswer) {
    for (name, range) in Self.ranges {
      guard let value = config[name], let number = value.double ?? value.string.flatMap(Double.init) else { continue }
      try require(
        range.contains(number),
        "* GenerateContentRequest.generation_config.\(ProtoReader.snakeCase(name)): must be in the range "
          + "[\(range.lowerBound), \(range.upperBound)]\n")
    }
    let modalities = config["responseModalities"]?.array ?? []
    let combinations = model.makesImages ? "* IMAGE, TEXT\n* IMAGE\n* TEXT\n" : "* TEXT\n"
    // A number may stand for a modality, but a model that makes text only takes none but its own name.
    let areGood = modalities.allSatisfy { model.makesImages ? $0 != "AUDIO" : $0 == "TEXT" }
    try require(
      areGood && (model.makesImages || config["imageConfig"] == nil),
      "The requested combination of response modalities is not supported by the model. models/\(model.id) accepts "
        + "the following combination of response modalities:\n\(combinations)")
    if model.makesImages { try checkTextOptions(config) }
    let isTold = model.makesImages && modalities.contains { $0.string != nil }
    wantsText = !isTold || modalities.contains("TEXT")
    wantsImage = isTold ? modalities.contains("IMAGE") : model.makesImages
    if let image = config["imageConfig"]?.object {
      aspectRatio = try choice(image, "aspectRatio", model.aspectRatios.keys.sorted()) ?? aspectRatio
      imageSize = try choice(image, "imageSize", model.imageSizes) ?? imageSize
    }
    if let thinking = config["thinkingConfig"]?.object { try read(thinking: thinking) }
  }

  /// What a model that makes pictures does not do.
  private func checkTextOptions(_ config: JSONObject) throws(HTTPAnswer) {
    let count = config["candidateCount"]?.double ?? 1
    try require(count == 1, "Multiple candidates is not enabled for this model")
    let type = config["responseMimeType"]?.string ?? "text/plain"
    try require(type == "text/plain", "JSON mode is not enabled for models/\(model.id)")
    try require(
      config["responseSchema"] == nil && config["responseJsonSchema"] == nil,
      "Response schema is not enabled for models/\(model.id)")
  }

  private func choice(_ image: JSONObject, _ name: String, _ allowed: [String]) throws(HTTPAnswer) -> String? {
    guard let value = image[name]?.string else { return nil }
    let field = ProtoReader.snakeCase(name)
    let list = allowed.map { "'\($0)'" }.joined(separator: ", ")
    try require(!allowed.isEmpty, "\(field) is not supported for models/\(model.id).")
    try require(allowed.contains(value), "\(field) must be one of \(list) for models/\(model.id), not \"\(value)\".")
    return value
  }

  private mutating func read(thinking: JSONObject) throws(HTTPAnswer) {
    wantsThoughts = thinking["includeThoughts"]?.bool ?? false
    guard let levels = model.thinkingLevels else {
      throw .googleError(400, "Thinking is not enabled for models/\(model.id)")
    }
    guard let level = thinking["thinkingLevel"]?.string else { return }
    try require(
      levels.contains(level), "Thinking level\(levels.isEmpty ? "" : " \(level)") is not supported for this model.")
    try require(
      thinking["thinkingBudget"] == nil, "You can only set only one of thinking budget and thinking level.")
  }
}
