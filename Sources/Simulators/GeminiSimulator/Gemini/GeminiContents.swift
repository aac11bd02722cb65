import Encodings
import JSON

/// Reads the turns of a request: what they say, which pictures they bring, and whether turns of the model come back as
/// they were given.
struct GeminiContents {
  let model: SimulatedModel
  private(set) var facts: RequestFacts
  private(set) var textTokens = 0
  /// Of the first picture of the user, for the shape of the answer.
  private(set) var firstUserImage: PictureSize?

  init(model: SimulatedModel, facts: RequestFacts) { (self.model, self.facts) = (model, facts) }

  mutating func read(_ contents: [JSONValue]) throws(HTTPAnswer) {
    guard !contents.isEmpty else { throw Self.refusal("contents: contents is not specified") }
    facts.turns = contents.count
    // Results of functions are the user's as well, but say nothing.
    let last = contents.lastIndex { content in
      content["role"]?.string ?? "user" == "user" && content["parts"]?.array?.contains {
        $0["functionResponse"] != nil
      } != true
    }
    for (index, content) in contents.enumerated() {
      let role = content["role"]?.string ?? "user"
      guard ["user", "model", "function"].contains(role) else {
        throw .googleError(400, "Please use a valid role: user, model.")
      }
      let parts = content["parts"]?.array ?? []
      guard !parts.isEmpty else { throw Self.refusal("contents[\(index)].parts: contents.parts must not be empty.") }
      if index == last { facts.prompt = parts.compactMap { $0["text"]?.string }.joined(separator: "\n") }
      try read(parts, of: index, role: role)
    }
    guard facts.images.count <= model.maximumImages else {
      throw .googleError(
        400,
        "Please use at most \(model.maximumImages) images as input for models/\(model.id), not \(facts.images.count).")
    }
  }

  private static func refusal(_ problem: String) -> HTTPAnswer {
    .googleError(400, "* GenerateContentRequest.\(problem)\n")
  }

  private mutating func read(_ parts: [JSONValue], of content: Int, role: String) throws(HTTPAnswer) {
    var hasAnswerBegun = false
    for (index, part) in parts.enumerated() {
      let place = "contents[\(content)].parts[\(index)]"
      guard let object = part.object, object.keys.contains(where: ProtoReader.dataFields.contains) else {
        throw Self.refusal("\(place).data: required oneof field 'data' must have one initialized field")
      }
      let position = "content position \(content + 1), part position \(index + 1)"
      if let text = object["text"]?.string {
        textTokens += GeminiRequest.tokens(text)
        let missing = hasAnswerBegun ? nil : "Text part is missing a thought_signature in \(position)."
        try checkSignature(object, .init(ofText: text), role, missing)
      }
      if let blob = object["inlineData"]?.object {
        let bytes = try image(blob, place, role: role)
        let missing = "Image part is missing a thought_signature in \(position)."
        try checkSignature(object, .init(ofImage: bytes), role, missing)
      }
      let isAnswer = object["text"] != nil || object["inlineData"] != nil
      hasAnswerBegun = hasAnswerBegun || isAnswer && object["thought"]?.bool != true
      if let file = object["fileData"]?.object, file["fileUri"]?.string?.isEmpty ?? true {
        throw Self.refusal("\(place).file_data.file_uri: must not be empty")
      }
    }
  }

  private static let mimeTypes = ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"]

  /// Checks a picture, and adds it to the facts.
  private mutating func image(_ blob: JSONObject, _ place: String, role: String) throws(HTTPAnswer) -> [UInt8] {
    let mimeType = blob["mimeType"]?.string ?? ""
    guard let bytes = Base64.decodedLeniently(blob["data"]?.string ?? "")?.bytes, !bytes.isEmpty else {
      throw Self.refusal("\(place).inline_data.data: must not be empty")
    }
    facts.images.append(RequestFacts.Image(mimeType: mimeType, bytes, role: role))
    guard Self.mimeTypes.contains(mimeType) else { throw .googleError(400, "Unsupported MIME type: \(mimeType)") }
    guard let format = PictureEncoding(of: bytes), format.isCalled(mimeType), format.isComplete(bytes) else {
      throw Fault.error(.badImage).errorAnswer() ?? .googleError(400, mimeType)
    }
    if role == "user", firstUserImage == nil { firstUserImage = format.size(of: bytes) }
    return bytes
  }

  /// - Parameter missing: what is said when the part has none; nil when it needs none.
  private mutating func checkSignature(
    _ part: JSONObject, _ signature: ThoughtSignature, _ role: String, _ missing: String?
  ) throws(HTTPAnswer) {
    guard role == "model" else { return }
    let text = part["thoughtSignature"]?.string ?? ""
    if !text.isEmpty { facts.thoughtSignatures.append(text) }
    guard model.needsSignatures, part["thought"]?.bool != true else { return }
    if text.isEmpty {
      if let missing { throw .googleError(400, missing) }
    } else if !signature.matches(Base64.decodedLeniently(text)?.bytes ?? []) {
      throw .googleError(400, "Corrupted thought signature.")
    }
  }
}

/// The signatures that the simulator gives to parts of its answers, and knows again without remembering them.
///
/// A signature is computed from the part itself, so a part that comes back changed does not fit its signature.
struct ThoughtSignature: Sendable {
  private let digest: UInt64

  init(ofText text: String) { digest = Checksum.fnv1a(text.utf8) }
  // A picture may be large. Its check values tell whether the rest of it has been changed, and whoever encodes it anew
  // leaves out the marker at its beginning.
  init(ofImage bytes: [UInt8]) { digest = Checksum.fnv1a(bytes.prefix(256)) &+ UInt64(bytes.count) }

  /// - Parameter count: how many bytes of it say nothing.
  func bytes(filler count: Int = 37) -> [UInt8] {
    // The opening encodes as `+//+`, which URL-safe base64 would change: a client that writes it anew gives itself away.
    [0xFB, 0xFF, 0xFE] + (0..<8 + count).map { UInt8(truncatingIfNeeded: digest >> UInt64($0 % 8 * 8)) }
  }

  /// Whether a signature of whatever length is this one.
  func matches(_ other: [UInt8]) -> Bool { other.count >= 11 && other == bytes(filler: other.count - 11) }
}
