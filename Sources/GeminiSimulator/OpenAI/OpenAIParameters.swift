import JSON

/// What a request to the Images API asks for, once it has been found good.
struct OpenAIParameters: Sendable {
  var prompt = ""
  var count = 1
  var size: PictureSize?
  var quality = "auto"
  var background = "auto"
  var format = "png"
  var isStream = false
  var partialImages = 0

  static let models = [
    "gpt-image-1.5", "gpt-image-1-mini", "gpt-image-2", "gpt-image-2.5-sunburst", "gpt-image-2.5-flare",
    "gpt-image-2.6-sunburst", "gpt-image-2.6-flare", "chatgpt-image-latest",
  ]

  /// What may be chosen; `moderation` only without pictures, `input_fidelity` only with them.
  private static let choices = [
    "quality": ["low", "medium", "high", "xhigh", "max", "auto"], "background": ["transparent", "opaque", "auto"],
    "output_format": ["png", "webp", "jpeg"], "moderation": ["low", "auto"], "input_fidelity": ["high", "low"],
  ]

  private static let others: Set = [
    "prompt", "model", "n", "size", "stream", "partial_images", "output_compression", "user", "safety_identifier",
  ]

  /// What servers of diffusion models take besides.
  private static let localOnes: Set = [
    "seed", "num_inference_steps", "guidance_scale", "true_cfg_scale", "negative_prompt", "strength", "step", "mode",
    "response_format",
  ]

  /// - Parameters:
  ///   - fields: the parameters; those of a form are all texts.
  ///   - isLocal: whether models and parameters that OpenAI does not have are taken.
  init(_ fields: JSONObject, isEdit: Bool, isLocal: Bool) throws(HTTPAnswer) {
    for (name, value) in fields where !value.isNull {
      if let values = Self.choices[name], name != (isEdit ? "moderation" : "input_fidelity") {
        try Self.check(value, name, values)
      } else if !Self.others.contains(name), !(isLocal && Self.localOnes.contains(name)) {
        throw Self.refusal("Unknown parameter: '\(name)'.", name, "unknown_parameter")
      }
    }
    func value<Value>(_ name: String, _ type: String, _ read: (JSONValue) -> Value?) throws(HTTPAnswer) -> Value? {
      guard let json = fields[name], !json.isNull else { return nil }
      if let value = read(json) { return value }
      throw Self.refusal(
        "Invalid type for '\(name)': expected \(type), but got \(json.kindDescription) instead.", name, "invalid_type")
    }
    func text(_ name: String) throws(HTTPAnswer) -> String? { try value(name, "a string", \.string) }
    func integer(_ name: String, _ range: ClosedRange<Int>) throws(HTTPAnswer) -> Int? {
      let integer = try value(name, "an integer") {
        $0.number?.integer(as: Int.self) ?? $0.string.flatMap { Int($0) }
      }
      if let integer { try Self.check(integer, name, range) }
      return integer
    }
    prompt = try text("prompt") ?? ""
    try checkPrompt()
    if let model = try text("model"), !isLocal { try Self.checkModel(model) }
    count = try integer("n", 1...10) ?? 1
    quality = try text("quality") ?? quality
    background = try text("background") ?? background
    format = try text("output_format") ?? format
    isStream = try value("stream", "a boolean") { $0.bool ?? $0.string.flatMap(Bool.init) } ?? false
    partialImages = try integer("partial_images", 0...3) ?? 0
    _ = try integer("output_compression", 0...100)
    size = try text("size").flatMap(Self.size)
    if background == "transparent", format == "jpeg" {
      throw Self.refusal(
        "Transparent background is not supported for JPEG output format.", "background", "invalid_value")
    }
  }

  private static func refusal(_ message: String, _ param: String, _ code: String) -> HTTPAnswer {
    .openAIError(400, message, param: param, code: code)
  }

  static func checkModel(_ model: String) throws(HTTPAnswer) {
    guard models.contains(model) else {
      throw .openAIError(
        404, "The model '\(model)' does not exist or you do not have access to it.", param: "model",
        code: "model_not_found")
    }
  }

  private func checkPrompt() throws(HTTPAnswer) {
    guard !prompt.isEmpty else {
      throw Self.refusal("Missing required parameter: 'prompt'.", "prompt", "missing_required_parameter")
    }
    guard prompt.unicodeScalars.count <= 32000 else {
      throw Self.refusal(
        "Invalid 'prompt': string too long. Expected a string with maximum length 32000.", "prompt",
        "string_above_max_length")
    }
  }

  private static func check(_ value: JSONValue, _ name: String, _ values: [String]) throws(HTTPAnswer) {
    if let text = value.string, values.contains(text) { return }
    let list = values.map { "'\($0)'" }.joined(separator: ", ")
    throw refusal(
      "Invalid value: '\(value.string ?? value.serializedText)'. Supported values are: \(list).", name, "invalid_value")
  }

  private static func check(_ integer: Int, _ name: String, _ range: ClosedRange<Int>) throws(HTTPAnswer) {
    if range.contains(integer) { return }
    let (bound, code) =
      integer < range.lowerBound
      ? ("below minimum value. Expected a value >= \(range.lowerBound)", "integer_below_min_value")
      : ("above maximum value. Expected a value <= \(range.upperBound)", "integer_above_max_value")
    throw refusal("Invalid '\(name)': integer \(bound), but got \(integer) instead.", name, code)
  }

  /// - Returns: nil for `auto`.
  private static func size(_ text: String) throws(HTTPAnswer) -> PictureSize? {
    if text == "auto" { return nil }
    guard let size = PictureSize(text), size.width.isMultiple(of: 16), size.height.isMultiple(of: 16),
      size.width <= size.height * 3, size.height <= size.width * 3, max(size.width, size.height) <= 3840,
      min(size.width, size.height) <= 2160
    else {
      throw refusal(
        "Invalid size '\(text)'. Sides must be multiples of 16, their ratio from 1:3 to 3:1, at most 3840x2160.",
        "size", "invalid_value")
    }
    return size
  }
}
