import Encodings
import JSON

/// A conversation with functions at Google's API: what has been said, and the model's next turn.
struct GeminiConversation {
  private var script: PlacesScript
  private let model: SimulatedModel

  /// - Throws: what the API says of results that do not fit the calls, and of calls without their signatures.
  init(_ json: JSONObject, model: SimulatedModel, step: ScenarioStep) throws(HTTPAnswer) {
    self.model = model
    script = PlacesScript(
      prompt: "", earlier: [], turns: 0, userTexts: 0,
      mayCall: json["toolConfig"]?["functionCallingConfig"]?["mode"]?.string != "NONE", fault: step.toolFault)
    var open: [JSONObject] = []
    for (index, content) in (json["contents"]?.array ?? []).enumerated() {
      let parts = content["parts"]?.array ?? []
      if content["role"]?.string == "model" {
        script.turns += 1
        open = parts.compactMap { $0["functionCall"]?.object }
        try checkSignature(parts, index)
        continue
      }
      let texts = parts.compactMap { $0["text"]?.string }
      if !texts.isEmpty {
        script.userTexts += 1
        script.prompt += texts.joined(separator: "\n")
      }
      let responses = parts.compactMap { $0["functionResponse"]?.object }
      guard responses.count == open.count, zip(responses, open).allSatisfy({ $0["name"] == $1["name"] }) else {
        throw .googleError(
          400,
          "Please ensure that the number of function response parts is equal to the number of function call parts of the "
            + "function call turn.")
      }
      script.earlier += zip(open, responses).map {
        PlacesScript.Earlier(arguments: $0["args"]?.object ?? [:], result: $1["response"] ?? .null)
      }
      open = []
    }
  }

  /// The first call of a turn carries a signature, which models of the third generation demand back.
  private func checkSignature(_ parts: [JSONValue], _ index: Int) throws(HTTPAnswer) {
    guard let first = parts.first(where: { $0["functionCall"] != nil }) else { return }
    let text = first["thoughtSignature"]?.string ?? ""
    if text.isEmpty {
      guard model.id.hasPrefix("gemini-3") else { return }
      throw .googleError(
        400, "Function call is missing a thought_signature in functionCall parts, position \(index + 1).")
    }
    let signature = ThoughtSignature(ofText: first["functionCall"]?["args"]?.serializedText ?? "")
    guard signature.matches(Base64.decodedLeniently(text)?.bytes ?? []) else {
      throw .googleError(400, "Corrupted thought signature.")
    }
  }

  /// The parts of the model's next turn.
  var parts: [JSONValue] {
    switch script.next() {
    case .text(let text): return [["text": "Let me think.", "thought": true], ["text": .string(text)]]
    case .calls(let calls):
      return calls.enumerated().map { position, call in
        var part: JSONObject = [
          "functionCall": ["name": .string(call.name), "args": call.arguments.object.map(JSONValue.object) ?? [:]]
        ]
        if position == 0 {
          let signature = ThoughtSignature(ofText: part["functionCall"]?["args"]?.serializedText ?? "")
          part["thoughtSignature"] = .string(Base64.encoded(signature.bytes()))
        }
        return .object(part)
      }
    }
  }
}
