import Encodings
import JSON

/// A request for content that has been found good.
struct GeminiRequest: Sendable {
  var model: GeminiModel
  var facts = RequestFacts()
  var wantsText = true
  var wantsImage = true
  var wantsThoughts = false
  var aspectRatio: String
  var imageSize = GeminiModel.defaultImageSize
  /// Of the text and the pictures of the request.
  var textTokens = 0
  var imageTokens = 0

  /// The size of the picture to make, as the API would make it.
  var pictureSize: PictureSize {
    model.size(aspectRatio: aspectRatio, imageSize: imageSize) ?? PictureSize(width: 1024, height: 1024)
  }

  /// Reads what `ProtoReader` has checked.
  /// - Parameter facts: what is known of the request, filled as far as it is understood, also when it is refused.
  init(_ json: JSONObject, model: GeminiModel, facts: inout RequestFacts) throws(GeminiError) {
    self.model = model
    var contents = GeminiContents(model: model)
    facts.json = .object(RequestFacts.withoutData(json))
    defer { facts.adopt(contents) }
    try contents.read(json["contents"]?.array ?? [])
    aspectRatio = contents.firstUserImage.map { model.aspectRatio(nearestTo: $0) } ?? "1:1"
    if let instruction = json["systemInstruction"]?["parts"]?.array {
      textTokens += instruction.compactMap { $0["text"]?.string }.reduce(0) { $0 + Self.tokens($1) }
    }
    textTokens += contents.textTokens
    imageTokens = contents.images.count * 258
    if model.makesImages, json["tools"]?.array?.contains(where: { $0["functionDeclarations"] != nil }) == true {
      throw .invalidArgument("Function calling is not enabled for models/\(model.id)")
    }
    try read(config: json["generationConfig"]?.object ?? [:])
  }

  static func tokens(_ text: String) -> Int { (text.utf8.count + 3) / 4 }

  // MARK: generationConfig

  private mutating func read(config: JSONObject) throws(GeminiError) {
    try Self.check(config, "temperature", 0...2)
    try Self.check(config, "topP", 0...1)
    try Self.check(config, "topK", 1...1000)
    try Self.check(config, "maxOutputTokens", 1...65536)
    let candidates = config["candidateCount"]?.double ?? 1
    guard model.makesImages else { return try refuseImages(config) }
    guard candidates == 1 else { throw .invalidArgument("Multiple candidates is not enabled for this model") }
    if let type = config["responseMimeType"]?.string, type != "text/plain" {
      throw .invalidArgument("JSON mode is not enabled for models/\(model.id)")
    }
    if config["responseSchema"] != nil || config["responseJsonSchema"] != nil {
      throw .invalidArgument("Response schema is not enabled for models/\(model.id)")
    }
    if let modalities = config["responseModalities"]?.array?.compactMap(\.string), !modalities.isEmpty {
      guard !modalities.contains("AUDIO") else {
        throw .invalidArgument(
          "The requested combination of response modalities is not supported by the model. models/\(model.id) accepts "
            + "the following combination of response modalities:\n* IMAGE, TEXT\n* IMAGE\n* TEXT\n")
      }
      wantsText = modalities.contains("TEXT")
      wantsImage = modalities.contains("IMAGE")
    }
    if let image = config["imageConfig"]?.object { try read(image: image) }
    if let thinking = config["thinkingConfig"]?.object { try read(thinking: thinking) }
  }

  private static func check(_ config: JSONObject, _ name: String, _ range: ClosedRange<Double>) throws(GeminiError) {
    guard let value = config[name], let number = value.double ?? value.string.flatMap(Double.init) else { return }
    guard range.contains(number) else {
      let name = "generation_config." + ProtoField.snakeCase(name)
      throw .invalidArgument(
        "* GenerateContentRequest.\(name): must be in the range [\(range.lowerBound), \(range.upperBound)]\n")
    }
  }

  private mutating func refuseImages(_ config: JSONObject) throws(GeminiError) {
    wantsImage = false
    let wantsOthers = config["responseModalities"]?.array?.contains { $0.string != "TEXT" } == true
    guard !wantsOthers, config["imageConfig"] == nil else {
      throw .invalidArgument(
        "The requested combination of response modalities is not supported by the model. models/\(model.id) accepts "
          + "the following combination of response modalities:\n* TEXT\n")
    }
    if let thinking = config["thinkingConfig"]?.object { try read(thinking: thinking) }
  }

  private mutating func read(image: JSONObject) throws(GeminiError) {
    if let ratio = image["aspectRatio"]?.string {
      guard model.aspectRatios[ratio] != nil else {
        let allowed = Self.list(model.aspectRatios.keys.sorted())
        throw .invalidArgument("aspect_ratio must be one of \(allowed) for models/\(model.id), not \"\(ratio)\".")
      }
      aspectRatio = ratio
    }
    if let size = image["imageSize"]?.string {
      guard !model.imageSizes.isEmpty else {
        throw .invalidArgument("image_size is not supported for models/\(model.id).")
      }
      guard model.imageSizes.contains(size) else {
        throw .invalidArgument(
          "image_size must be one of \(Self.list(model.imageSizes)) for models/\(model.id), not \"\(size)\".")
      }
      imageSize = size
    }
  }

  private mutating func read(thinking: JSONObject) throws(GeminiError) {
    wantsThoughts = thinking["includeThoughts"]?.bool ?? false
    let level = thinking["thinkingLevel"]?.string
    switch model.thinking {
    case .none: throw .invalidArgument("Thinking is not enabled for models/\(model.id)")
    case .always where level != nil:
      throw .invalidArgument("Thinking level is not supported for this model.")
    case .levels(let levels):
      guard level == nil || levels.contains(level ?? "") else {
        throw .invalidArgument("Thinking level \(level ?? "") is not supported for this model.")
      }
    case .always: break
    }
    guard level == nil || thinking["thinkingBudget"] == nil else {
      throw .invalidArgument("You can only set only one of thinking budget and thinking level.")
    }
  }

  private static func list(_ values: [String]) -> String { values.map { "'\($0)'" }.joined(separator: ", ") }
}

extension RequestFacts {
  mutating func adopt(_ contents: GeminiContents) {
    prompt = contents.prompt
    turns = contents.turns
    images = contents.images
    thoughtSignatures = contents.signatures
  }

  /// The request, with the data of its pictures replaced by their length.
  static func withoutData(_ object: JSONObject) -> JSONObject {
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
}

/// The part of an answer that is a picture.
struct PicturePart {
  var maker: GeminiReplyMaker
  /// Which picture of the answer.
  var index: Int

  private var fault: AnswerFault? {
    if case .answer(let fault)? = maker.step.fault { fault } else { nil }
  }

  var json: JSONValue {
    let bytes = self.bytes
    if fault == .fileData {
      let uri = "https://generativelanguage.googleapis.com/v1beta/files/simulated-\(maker.id)"
      return ["fileData": ["mimeType": "image/png", "fileUri": .string(uri)]]
    }
    var blob = JSONObject()
    if fault != .noMimeType { blob["mimeType"] = .string(mimeType) }
    blob["data"] = .string(encoded(bytes))
    var part: JSONObject = ["inlineData": .object(blob)]
    if fault == .onlyThoughtImage {
      part["thought"] = true
    } else if maker.request.model.needsSignatures, fault != .noSignatures {
      let signature = ThoughtSignature(ofImage: bytes).bytes(filler: fault == .hugeSignature ? 1 << 20 : 37)
      part["thoughtSignature"] = .string(Base64.encoded(signature))
    }
    return .object(part)
  }

  private var mimeType: String {
    switch fault {
    case .jpeg, .saysJPEGIsPNG, .truncatedJPEG: "image/jpeg"
    case .webp: "image/webp"
    default: "image/png"
    }
  }

  private var bytes: [UInt8] {
    let picture = maker.picture(index: index)
    switch fault {
    case .jpeg, .saysPNGIsJPEG: return picture.jpeg()
    case .truncatedJPEG: return picture.jpeg().dropLast(12)
    case .webp, .saysPNGIsWebP: return picture.webp()
    case .truncatedPicture: return png(picture).dropLast(30)
    case .notAnImage: return Array("This is no picture.".utf8)
    case .emptyImage: return []
    case .enormousHeader: return picture.enormousPNG()
    default: return png(picture)
    }
  }

  private func png(_ picture: Picture) -> [UInt8] {
    (maker.step.imageBytes ?? maker.options.imageBytes).map { picture.png(bytes: $0) } ?? picture.png()
  }

  private func encoded(_ bytes: [UInt8]) -> String {
    let text = fault == .urlSafeBase64 ? Base64URL.encoded(bytes) : Base64.encoded(bytes)
    switch fault {
    // One letter past a whole group is no byte.
    case .truncatedBase64: return String(text.prefix(text.utf8.count / 8 * 4 + 1))
    case .invalidBase64: return String(text.prefix(40)) + "!*#" + String(text.dropFirst(43))
    case .unpaddedBase64: return String(text.prefix { $0 != "=" })
    default: return text
    }
  }
}
