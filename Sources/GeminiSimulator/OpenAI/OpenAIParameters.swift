import JSON

/// What a request to the Images API asks for, once it has been found good.
struct OpenAIParameters: Sendable {
  var prompt = ""
  var model = "gpt-image-1.5"
  var count = 1
  var size: PictureSize?
  var quality = "auto"
  var background = "auto"
  var format = "png"
  var isStream = false
  var partialImages = 0

  private struct Choice {
    var values: [String]
    var isForEditsOnly = false
    var isForGenerationsOnly = false
  }

  private static let choices: [String: Choice] = [
    "quality": Choice(values: ["low", "medium", "high", "xhigh", "max", "auto"]),
    "background": Choice(values: ["transparent", "opaque", "auto"]),
    "output_format": Choice(values: ["png", "webp", "jpeg"]),
    "moderation": Choice(values: ["low", "auto"], isForGenerationsOnly: true),
    "input_fidelity": Choice(values: ["high", "low"], isForEditsOnly: true),
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
  /// - Throws: ``OpenAIError`` as the API answers it.
  init(_ fields: JSONObject, isEdit: Bool, isLocal: Bool) throws(OpenAIError) {
    for (name, value) in fields {
      if value.isNull { continue }
      if let choice = Self.choices[name], !(isEdit ? choice.isForGenerationsOnly : choice.isForEditsOnly) {
        try Self.check(value, name, choice.values)
      } else if !Self.others.contains(name), !(isLocal && Self.localOnes.contains(name)) {
        throw .invalid("Unknown parameter: '\(name)'.", param: name, code: "unknown_parameter")
      }
    }
    prompt = try Self.text(fields, "prompt") ?? ""
    guard !prompt.isEmpty else {
      throw .invalid("Missing required parameter: 'prompt'.", param: "prompt", code: "missing_required_parameter")
    }
    guard prompt.unicodeScalars.count <= 32000 else {
      throw .invalid(
        "Invalid 'prompt': string too long. Expected a string with maximum length 32000.", param: "prompt",
        code: "string_above_max_length")
    }
    model = try Self.text(fields, "model") ?? model
    guard isLocal || Self.models.contains(model) else { throw Self.noSuchModel(model) }
    count = try Self.integer(fields, "n", 1...10) ?? 1
    quality = try Self.text(fields, "quality") ?? "auto"
    background = try Self.text(fields, "background") ?? "auto"
    format = try Self.text(fields, "output_format") ?? "png"
    isStream = try Self.bool(fields, "stream") ?? false
    partialImages = try Self.integer(fields, "partial_images", 0...3) ?? 0
    _ = try Self.integer(fields, "output_compression", 0...100)
    size = try Self.size(fields)
    if background == "transparent", format == "jpeg" {
      throw .invalid(
        "Transparent background is not supported for JPEG output format.", param: "background", code: "invalid_value")
    }
  }

  static let models = [
    "gpt-image-1.5", "gpt-image-1-mini", "gpt-image-2", "gpt-image-2.5-sunburst", "gpt-image-2.5-flare",
    "gpt-image-2.6-sunburst", "gpt-image-2.6-flare", "chatgpt-image-latest",
  ]

  static func noSuchModel(_ model: String) -> OpenAIError {
    OpenAIError(
      404, "The model '\(model)' does not exist or you do not have access to it.", type: "invalid_request_error",
      param: "model", code: "model_not_found")
  }

  // MARK: Values

  private static func check(_ value: JSONValue, _ name: String, _ values: [String]) throws(OpenAIError) {
    guard let text = value.string, values.contains(text) else {
      throw invalidValue(value.string ?? value.serializedText, name, values)
    }
  }

  private static func invalidValue(_ value: String, _ name: String, _ values: [String]) -> OpenAIError {
    let list = values.map { "'\($0)'" }.joined(separator: ", ")
    return .invalid("Invalid value: '\(value)'. Supported values are: \(list).", param: name, code: "invalid_value")
  }

  private static func text(_ fields: JSONObject, _ name: String) throws(OpenAIError) -> String? {
    guard let value = fields[name], !value.isNull else { return nil }
    guard let text = value.string else { throw invalidType(name, "a string", value) }
    return text
  }

  private static func integer(
    _ fields: JSONObject, _ name: String, _ range: ClosedRange<Int>
  ) throws(OpenAIError) -> Int? {
    guard let value = fields[name], !value.isNull else { return nil }
    guard let integer = value.number?.integer(as: Int.self) ?? value.string.flatMap({ Int($0) }) else {
      throw invalidType(name, "an integer", value)
    }
    guard range.contains(integer) else {
      let isBelow = integer < range.lowerBound
      let bound =
        isBelow
        ? "below minimum value. Expected a value >= \(range.lowerBound)"
        : "above maximum value. Expected a value <= \(range.upperBound)"
      throw .invalid(
        "Invalid '\(name)': integer \(bound), but got \(integer) instead.", param: name,
        code: isBelow ? "integer_below_min_value" : "integer_above_max_value")
    }
    return integer
  }

  private static func bool(_ fields: JSONObject, _ name: String) throws(OpenAIError) -> Bool? {
    guard let value = fields[name], !value.isNull else { return nil }
    guard let bool = value.bool ?? value.string.flatMap(Bool.init) else { throw invalidType(name, "a boolean", value) }
    return bool
  }

  private static func invalidType(_ name: String, _ expected: String, _ value: JSONValue) -> OpenAIError {
    .invalid(
      "Invalid type for '\(name)': expected \(expected), but got \(value.kindDescription) instead.", param: name,
      code: "invalid_type")
  }

  /// - Returns: nil for `auto`.
  private static func size(_ fields: JSONObject) throws(OpenAIError) -> PictureSize? {
    guard let text = try text(fields, "size"), text != "auto" else { return nil }
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy({ $0 > 0 && $0.isMultiple(of: 16) }), sides[0] <= sides[1] * 3,
      sides[1] <= sides[0] * 3, sides.max() ?? 0 <= 3840, sides.min() ?? 0 <= 2160
    else {
      throw .invalid(
        "Invalid size '\(text)'. Sides must be multiples of 16, their ratio from 1:3 to 3:1, at most 3840x2160.",
        param: "size", code: "invalid_value")
    }
    return PictureSize(width: sides[0], height: sides[1])
  }
}
