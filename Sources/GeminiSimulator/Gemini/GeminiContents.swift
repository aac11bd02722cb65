import Encodings
import JSON

/// Reads the turns of a request: what they say, which pictures they bring, and whether turns of the model come back as
/// they were given.
struct GeminiContents {
  let model: GeminiModel
  private(set) var turns = 0
  private(set) var prompt = ""
  private(set) var images: [RequestFacts.Image] = []
  private(set) var signatures: [String] = []
  private(set) var textTokens = 0
  /// Of the first picture of the user, for the shape of the answer.
  private(set) var firstUserImage: PictureSize?

  init(model: GeminiModel) { self.model = model }

  mutating func read(_ contents: [JSONValue]) throws(GeminiError) {
    guard !contents.isEmpty else {
      throw .invalidArgument("* GenerateContentRequest.contents: contents is not specified\n")
    }
    turns = contents.count
    for (index, content) in contents.enumerated() {
      let role = content["role"]?.string ?? "user"
      guard ["user", "model", "function"].contains(role) else {
        throw .invalidArgument("Please use a valid role: user, model.")
      }
      let parts = content["parts"]?.array ?? []
      guard !parts.isEmpty else {
        throw .invalidArgument("* GenerateContentRequest.contents[\(index)].parts: contents.parts must not be empty.\n")
      }
      let isLast = index == contents.lastIndex { $0["role"]?.string ?? "user" == "user" }
      if isLast { prompt = parts.compactMap { $0["text"]?.string }.joined(separator: "\n") }
      try read(parts, of: index, role: role)
    }
    guard images.count <= model.maximumImages else {
      throw .invalidArgument(
        "Please use at most \(model.maximumImages) images as input for models/\(model.id), not \(images.count).")
    }
  }

  private mutating func read(_ parts: [JSONValue], of content: Int, role: String) throws(GeminiError) {
    var hasAnswerBegun = false
    for (index, part) in parts.enumerated() {
      let place = "contents[\(content)].parts[\(index)]"
      guard let object = part.object, Self.dataFields.contains(where: { object[$0] != nil }) else {
        throw .invalidArgument(
          "* GenerateContentRequest.\(place).data: required oneof field 'data' must have one initialized field\n")
      }
      let position = (content: content + 1, part: index + 1)
      if let text = object["text"]?.string {
        textTokens += GeminiRequest.tokens(text)
        let isFirst = !hasAnswerBegun
        try check(object, .init(ofText: text), "Text", role: role, position, isNeeded: isFirst)
        hasAnswerBegun = hasAnswerBegun || object["thought"]?.bool != true
      }
      if let blob = object["inlineData"]?.object {
        let bytes = try image(blob, place, role: role)
        try check(object, .init(ofImage: bytes), "Image", role: role, position, isNeeded: true)
        hasAnswerBegun = hasAnswerBegun || object["thought"]?.bool != true
      }
      if let file = object["fileData"]?.object, file["fileUri"]?.string?.isEmpty ?? true {
        throw .invalidArgument("* GenerateContentRequest.\(place).file_data.file_uri: must not be empty\n")
      }
    }
  }

  private static let dataFields = [
    "text", "inlineData", "fileData", "functionCall", "functionResponse", "executableCode", "codeExecutionResult",
    "toolCall", "toolResponse",
  ]

  private static let mimeTypes = ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"]

  /// Checks a picture, and adds it to the facts.
  private mutating func image(_ blob: JSONObject, _ place: String, role: String) throws(GeminiError) -> [UInt8] {
    let mimeType = blob["mimeType"]?.string ?? ""
    guard let bytes = Base64.decodedLeniently(blob["data"]?.string ?? "")?.bytes, !bytes.isEmpty else {
      throw .invalidArgument("* GenerateContentRequest.\(place).inline_data.data: must not be empty\n")
    }
    images.append(
      RequestFacts.Image(
        mimeType: mimeType, fingerprint: Checksum.hexadecimal(Checksum.fnv1a(bytes)), bytes: bytes.count, role: role))
    guard Self.mimeTypes.contains(mimeType) else {
      throw .invalidArgument("Unsupported MIME type: \(mimeType)")
    }
    guard let format = ImageFormat(of: bytes), format.isCalled(mimeType), format.isComplete(bytes) else {
      throw .badImage
    }
    if role == "user", firstUserImage == nil { firstUserImage = format.size(of: bytes) }
    return bytes
  }

  private mutating func check(
    _ part: JSONObject, _ signature: ThoughtSignature, _ kind: String, role: String,
    _ position: (content: Int, part: Int), isNeeded: Bool
  ) throws(GeminiError) {
    guard role == "model" else { return }
    let text = part["thoughtSignature"]?.string
    if let text { signatures.append(text) }
    guard model.needsSignatures, part["thought"]?.bool != true else { return }
    if let text, !text.isEmpty {
      guard let bytes = Base64.decodedLeniently(text)?.bytes, signature.matches(bytes) else {
        throw .invalidArgument("Corrupted thought signature.")
      }
    } else if isNeeded {
      throw .missingThoughtSignature(of: kind, content: position.content, part: position.part)
    }
  }
}
