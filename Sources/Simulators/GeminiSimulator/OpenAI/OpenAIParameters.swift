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

  private static let ranges = ["n": 1...10, "partial_images": 0...3, "output_compression": 0...100]

  private static let others: Set = ["prompt", "model", "size", "stream", "user", "safety_identifier"]

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
      } else if let range = Self.ranges[name] {
        try Self.check(value, name, range)
      } else if !Self.others.contains(name), !(isLocal && Self.localOnes.contains(name)) {
        throw .openAIRefusal("Unknown parameter: '\(name)'.", name, "unknown_parameter")
      }
    }
    func text(_ name: String) throws(HTTPAnswer) -> String? {
      guard let value = fields[name], !value.isNull else { return nil }
      guard let text = value.string else { throw Self.wrongType(name, "a string", value) }
      return text
    }
    prompt = try text("prompt") ?? ""
    try HTTPAnswer.requireOpenAI(
      !prompt.isEmpty, "prompt", "missing_required_parameter", "Missing required parameter: 'prompt'.")
    try HTTPAnswer.requireOpenAI(
      prompt.unicodeScalars.count <= 32000, "prompt", "string_above_max_length",
      "Invalid 'prompt': string too long. Expected a string with maximum length 32000.")
    if let model = try text("model"), !isLocal { try Self.checkModel(model) }
    count = fields["n"].flatMap(Self.integer) ?? count
    partialImages = fields["partial_images"].flatMap(Self.integer) ?? partialImages
    quality = try text("quality") ?? quality
    background = try text("background") ?? background
    format = try text("output_format") ?? format
    if let value = fields["stream"], !value.isNull {
      guard let flag = value.bool ?? value.string.flatMap(Bool.init) else {
        throw Self.wrongType("stream", "a boolean", value)
      }
      isStream = flag
    }
    size = try text("size").flatMap(Self.size)
    try HTTPAnswer.requireOpenAI(
      background != "transparent" || format != "jpeg", "background", "invalid_value",
      "Transparent background is not supported for JPEG output format.")
  }

  private static func wrongType(_ name: String, _ type: String, _ value: JSONValue) -> HTTPAnswer {
    .openAIRefusal(
      "Invalid type for '\(name)': expected \(type), but got \(value.kindDescription) instead.", name, "invalid_type")
  }

  private static func integer(_ value: JSONValue) -> Int? {
    value.number?.integer(as: Int.self) ?? value.string.flatMap { Int($0) }
  }

  static func checkModel(_ model: String) throws(HTTPAnswer) {
    if models.contains(model) { return }
    let message = "The model '\(model)' does not exist or you do not have access to it."
    throw .openAIError(404, message, param: "model", code: "model_not_found")
  }

  private static func check(_ value: JSONValue, _ name: String, _ values: [String]) throws(HTTPAnswer) {
    if let text = value.string, values.contains(text) { return }
    let list = values.map { "'\($0)'" }.joined(separator: ", ")
    throw .openAIRefusal(
      "Invalid value: '\(value.string ?? value.serializedText)'. Supported values are: \(list).", name, "invalid_value")
  }

  private static func check(_ value: JSONValue, _ name: String, _ range: ClosedRange<Int>) throws(HTTPAnswer) {
    guard let integer = integer(value) else { throw wrongType(name, "an integer", value) }
    if range.contains(integer) { return }
    let (bound, code) =
      integer < range.lowerBound
      ? ("below minimum value. Expected a value >= \(range.lowerBound)", "integer_below_min_value")
      : ("above maximum value. Expected a value <= \(range.upperBound)", "integer_above_max_value")
    throw .openAIRefusal("Invalid '\(name)': integer \(bound), but got \(integer) instead.", name, code)
  }

  /// - Returns: nil for `auto`.
  private static func size(_ text: String) throws(HTTPAnswer) -> PictureSize? {
    if text == "auto" { return nil }
    guard let size = PictureSize(text), size.width.isMultiple(of: 16), size.height.isMultiple(of: 16),
      size.width <= size.height * 3, size.height <= size.width * 3, max(size.width, size.height) <= 3840,
      min(size.width, size.height) <= 2160
    else {
      throw .openAIRefusal(
        "Invalid size '\(text)'. Sides must be multiples of 16, their ratio from 1:3 to 3:1, at most 3840x2160.",
        "size", "invalid_value")
    }
    return size
  }
}
