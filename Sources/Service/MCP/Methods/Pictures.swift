import AtelierProtocol
import Encodings
import Engine
import JSON
import JSONRPC

/// Finished pictures as resources.
extension MCPService {
  /// The largest picture that is read as a resource, in bytes: in base64 it stays below a million characters, which hosts
  /// refuse.
  static let maximumResourceBytes = 700_000

  /// `resources/list`: the pictures of a page of history.
  func listPictures(_ call: Call) async throws -> JSONObject {
    let page = try await engine.history(History(limit: 20, cursor: try call.cursor()), for: caller)
    var result: JSONObject = [
      "resources": .array(
        page.entries.filter { $0.private != true }.flatMap { entry in
          entry.images.map { .object(GenerationReport.resource($0, of: entry)) }
        })
    ]
    result["nextCursor"] = page.nextCursor.map(JSONValue.string)
    return result
  }

  /// `resources/read`.
  func readPicture(_ call: Call) async throws -> JSONObject {
    guard let uri = call.params["uri"]?.string else { throw ResponseError.malformed("uri must be a string.") }
    let unknown = ResponseError(
      code: call.era.isModern ? -32602 : -32002, message: "There is no picture at this address.",
      data: ["uri": .string(uri)])
    guard let address = PictureAddress(uri) else { throw unknown }
    do {
      let generation = try await engine.generation(address.generation, for: caller)
      guard let image = generation.images.first(where: { $0.index == address.index }) else { throw unknown }
      guard image.bytes <= Self.maximumResourceBytes else {
        throw ResponseError.malformed(
          "The picture has \(image.bytes) bytes, more than the \(Self.maximumResourceBytes) that can be read here. "
            + "Its file is \(image.path ?? "not on this machine"); show_picture gives a preview.",
          data: ["uri": .string(uri)])
      }
      let bytes = try await engine.picture(address.generation, index: address.index, for: caller)
      return [
        "contents": [
          ["uri": .string(uri), "mimeType": .string(image.mimeType), "blob": .string(Base64.encoded(bytes))]
        ]
      ]
    } catch let error as AtelierError where error.kind == .notFound {
      throw unknown
    }
  }
}
