import AtelierClient
import Hummingbird
import JSON
import POSIX

/// The library of hairstyles. Its files are the operator's: a page is told whether there is a picture, not where.
enum Hairstyles {
  static func list(_ call: Call) async throws -> Response {
    let params = call.query()
    try Params.check(params)
    let answer = try await call.studio.send(try Params.message(TemplatesList.self, params))
    var json = try call.json(answer).object ?? [:]
    json["templates"] = .array(
      try answer.templates.map { template in
        var entry = try call.json(template).object ?? [:]
        if template.picture != nil { entry["hasThumbnail"] = true }
        return .object(entry)
      })
    return .json(.object(json))
  }

  /// A small picture of a hairstyle.
  static func thumbnail(_ call: Call) async throws -> Response {
    let template = try await call.studio.send(TemplatesGet(templateId: try call.parameter("hairstyle")))
    guard let path = template.picture,
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

extension Template {
  /// The path of what shows it best in a list.
  fileprivate var picture: String? { thumbnail ?? reference }
}
