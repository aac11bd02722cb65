import AtelierProtocol
import Encodings
import Imaging
import JSON

/// The body of `generateContent` (GEMINI 1.1).
struct GeminiBody {
  struct Picture {
    var mimeType: String
    var bytes: [UInt8]
  }

  var prompt: String
  /// The photo, then the references.
  var pictures: [Picture]
  var aspectRatio: String?
  var size: String?
  var temperature: Double?
  var seed: Int?

  /// - Throws: `unsupported_image` for an image in a format that the API does not accept.
  init(_ request: ImageRequest, model: GeminiModel) throws(AtelierError) {
    prompt = request.prompt ?? ""
    pictures = []
    for bytes in [request.photo].compactMap(\.self) + request.references {
      pictures.append(Picture(mimeType: try Self.mimeType(of: bytes), bytes: bytes))
    }
    aspectRatio = request.aspectRatio
    size = model.takesSize ? request.size.flatMap(model.size) : nil
    temperature = request.temperature
    seed = request.seed.map { Self.seed($0, variation: request.variation) }
  }

  /// The complete body in one array: each image's base64 is written directly to its final position.
  func encoded() -> [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(pictures.reduce(1024 + prompt.utf8.count * 2) { $0 + $1.bytes.count / 3 * 4 + 128 })
    body += Array(#"{"contents":[{"role":"user","parts":[{"text":"#.utf8)
    body += JSONValue.string(prompt).serialized()
    body.append(UInt8(ascii: "}"))
    for picture in pictures {
      body += Array(#",{"inlineData":{"mimeType":"\#(picture.mimeType)","data":""#.utf8)
      Base64.append(picture.bytes, to: &body)
      body += Array(#""}}"#.utf8)
    }
    body += Array(#"]}],"generationConfig":"#.utf8)
    body += configuration.serialized()
    body.append(UInt8(ascii: "}"))
    return body
  }

  private var configuration: JSONValue {
    var configuration: JSONObject = ["responseModalities": ["TEXT", "IMAGE"]]
    var image = JSONObject()
    image["aspectRatio"] = aspectRatio.map(JSONValue.string)
    image["imageSize"] = size.map(JSONValue.string)
    if !image.isEmpty { configuration["imageConfig"] = .object(image) }
    configuration["temperature"] = temperature.flatMap { JSONNumber($0) }.map(JSONValue.number)
    configuration["seed"] = seed.map { .number(JSONNumber($0)) }
    return .object(configuration)
  }

  /// The API's seeds are signed 32-bit integers. Larger ones wrap, so that each still determines one result; each
  /// variation has its own.
  private static func seed(_ seed: Int, variation: Int) -> Int { (seed &+ variation) & 0x7fff_ffff }

  /// Determined by content, never by name.
  private static func mimeType(of bytes: [UInt8]) throws(AtelierError) -> String {
    let content = RecognisedContent(of: bytes)
    if let refusal = AtelierError(refusing: content) { throw refusal.of(.gemini) }
    guard case .picture(let format) = content, format != .avif else {
      throw AtelierError(
        .unsupportedImage, "The provider does not read this kind of picture: use JPEG, PNG, WebP or HEIC.",
        provider: .gemini)
    }
    return format.mimeType
  }
}

extension AtelierError {
  /// The same error, attributed to `provider`.
  fileprivate func of(_ provider: ProviderID) -> AtelierError {
    var error = self
    error.provider = provider
    return error
  }
}

extension ModelTurn {
  /// The turn of a candidate, to send back when the conversation continues (GEMINI 5): its content as received,
  /// without thoughts, with the image cut out.
  /// - Parameter candidate: its image must be in strict base64, the unique encoding of its bytes, so that encoding
  ///   the file again restores it.
  /// - Returns: nil unless there is exactly one image to keep.
  init?(_ candidate: GeminiCandidate) {
    guard var content = candidate.content, let parts = content["parts"]?.array, candidate.pictures.count == 1 else {
      return nil
    }
    content["parts"] = .array(parts.filter { $0["thought"]?.bool != true }.map(Self.withoutPicture))
    let json = JSONValue.object(content)
    self.init(json: candidate.body?.restored(json) ?? json)
  }

  private static func withoutPicture(_ part: JSONValue) -> JSONValue {
    guard var object = part.object else { return part }
    let name = GeminiPart.blobName(in: object)
    guard var blob = object[name]?.object, blob["data"] != nil else { return part }
    blob["data"] = .object([Self.pictureMember: 0])
    object[name] = .object(blob)
    return .object(object)
  }
}
