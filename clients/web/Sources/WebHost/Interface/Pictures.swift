import AtelierClient
import Hummingbird
import JSON
import POSIX

/// Pictures by the ids of their generations, never by a path.
enum Pictures {
  static func image(_ call: Call) async throws -> Response {
    var params = call.query()
    params["index"] = JSONNumber(text: try call.parameter("index")).map(JSONValue.number) ?? .null
    if marksPreviews(for: call) {
      params["variant"] = nil
      params["watermark"] = true
      params["maxSide"] = .number(JSONNumber(min(params["maxSide"]?.number?.integer() ?? previewSide, previewSide)))
    }
    return try await picture(params, call)
  }

  /// The longest side of a preview with the operator's mark.
  static let previewSide = 1024

  /// Whether the person sees pictures with the operator's mark only, because nobody has signed in.
  static func marksPreviews(for call: Call) -> Bool {
    call.visitor.isGuest && call.host.options.shop?.marksPreviews == true
  }

  /// The photo that a picture was made from.
  static func original(_ call: Call) async throws -> Response {
    var params = call.query()
    params["variant"] = "original"
    return try await picture(params, call)
  }

  private static func picture(_ params: JSONObject, _ call: Call) async throws -> Response {
    var params = params
    params["generationId"] = .string(try call.parameter("generation"))
    params["account"] = .string(call.account.rawValue)
    let (bytes, type) = try await call.studio.picture(try Params.message(ImageRead.self, params))
    return .picture(bytes, type)
  }

  /// A small picture of a hairstyle, from the operator's library.
  static func hairstyle(_ call: Call) async throws -> Response {
    let template = try await call.studio.send(TemplatesGet(templateId: try call.parameter("hairstyle")))
    guard let path = template.thumbnail ?? template.reference,
      let bytes = try? await LazyThreadPool.hostFiles.run({ try FileSystem.read(path) }), let type = mediaType(of: bytes)
    else { throw WebError.notFound }
    return .picture(bytes, type)
  }

  /// By the first bytes; nil for what browsers need not show.
  private static func mediaType(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xff, 0xd8, 0xff]) { return "image/jpeg" }
    if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) { return "image/png" }
    if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) { return "image/webp" }
    return nil
  }
}
