import AtelierProtocol
import CurlHTTP
import Imaging
import JSON

/// One request for an image, as sent to the server: `images/edits` with a form if there are input images, otherwise
/// `images/generations` with JSON.
struct OpenAICall: Sendable {
  struct Picture: Sendable {
    var bytes: [UInt8]
    var format: ImageFormat
  }

  /// In the order in which they are sent.
  let fields: JSONObject
  /// The photo first, then the references.
  let pictures: [Picture]

  /// - Parameter unwanted: the fields that the server does not accept.
  /// - Throws: `AtelierError` when something is missing or this server does not support it.
  init(
    _ request: ImageRequest, settings: OpenAISettings, server: OpenAIServer, unwanted: Set<OpenAIField>
  ) throws(AtelierError) {
    if request.photo == nil, request.recipe != .create {
      throw AtelierError(
        .wrongRecipeInput, "This needs a picture: give a photo or an earlier result.", provider: .openai)
    }
    var pictures: [Picture] = []
    for bytes in [request.photo].compactMap({ $0 }) + request.references { pictures.append(try Self.picture(bytes)) }
    self.pictures = pictures
    let model = request.model ?? settings.cloud.model
    var fields: JSONObject = ["model": .string(model), "prompt": .string(request.prompt ?? "")]
    func add(_ field: OpenAIField, _ value: JSONValue) {
      if !unwanted.contains(field) { fields[field.rawValue] = value }
    }
    let sides = request.photo.flatMap { try? ReceivedPicture($0) }
    let size = try OpenAISize(model: model).text(
      size: request.size, aspectRatio: request.aspectRatio, photo: sides.map { ($0.width, $0.height) })
    if let size { fields["size"] = .string(size) }
    if let quality = settings.quality { fields["quality"] = .string(quality) }
    // This preserves faces; later models always do, and do not support the field.
    if !pictures.isEmpty, model.hasPrefix("gpt-image-1.5") { add(.inputFidelity, "high") }
    let isOpenAIs = model.hasPrefix("gpt-image-") || model.hasPrefix("chatgpt-image-")
    // OpenAI's own models always answer in this format and do not support the field.
    if !server.isOfficial, !isOpenAIs { add(.responseFormat, "b64_json") }
    // Each variation has its own seed, within the 31 bits that every server accepts.
    if settings.takesSeed, let seed = request.seed {
      add(.seed, .number(JSONNumber((seed &+ request.variation) & 0x7fff_ffff)))
    }
    let partialImages = min(max(settings.partialImages ?? (server.isOfficial ? 1 : 0), 0), 3)
    if server.isOfficial || partialImages > 0 {
      add(.stream, true)
      if partialImages > 0 { add(.partialImages, .number(JSONNumber(partialImages))) }
    }
    self.fields = fields
  }

  private static func picture(_ bytes: [UInt8]) throws(AtelierError) -> Picture {
    guard case .picture(let format) = RecognisedContent(of: bytes), [.jpeg, .png, .webp].contains(format) else {
      throw AtelierError(
        .unsupportedImage, "The provider does not read this kind of picture: use JPEG, PNG or WebP.",
        provider: .openai)
    }
    return Picture(bytes: bytes, format: format)
  }

  func has(_ field: OpenAIField) -> Bool { fields[field.rawValue] != nil }

  /// The number of partial images to receive during the request.
  var partialImages: Int { fields[OpenAIField.partialImages.rawValue]?.number?.integer() ?? 0 }

  // MARK: On the wire

  /// - Parameter random: for the boundary of a form.
  func request(
    to server: OpenAIServer, headers: [HTTPHeader], limits: HTTPLimits, random: inout some RandomNumberGenerator
  ) -> HTTPRequest {
    if pictures.isEmpty {
      return HTTPRequest(
        .post, server.url("images/generations"), headers: headers + [HTTPHeader("Content-Type", "application/json")],
        body: JSONValue.object(fields).serialized(), limits: limits)
    }
    let form = form(&random)
    return HTTPRequest(
      .post, server.url("images/edits"), headers: headers + [HTTPHeader("Content-Type", form.contentType)],
      body: form.body, limits: limits)
  }

  private func form(_ random: inout some RandomNumberGenerator) -> MultipartForm {
    var form = MultipartForm(random: &random)
    for (name, value) in fields { form.add(name, text: value.string ?? value.serializedText) }
    for (index, picture) in pictures.enumerated() {
      form.add(
        pictures.count == 1 ? "image" : "image[]", file: picture.bytes,
        named: "image-\(index + 1).\(picture.format.fileExtension)", mimeType: picture.format.mimeType)
    }
    return form
  }
}

/// A field that a server may not support, and without which the request still makes sense.
enum OpenAIField: String, Sendable, CaseIterable {
  case stream
  case partialImages = "partial_images"
  case responseFormat = "response_format"
  case inputFidelity = "input_fidelity"
  case seed
}

/// The fields that a server has turned out not to accept, so that they are not sent again.
actor OpenAIDialect {
  private(set) var unwanted: Set<OpenAIField> = []

  func add(_ field: OpenAIField) {
    unwanted.insert(field)
    // Partial images are only available in a stream.
    if field == .stream { unwanted.insert(.partialImages) }
  }
}
