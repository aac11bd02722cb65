import AtelierProtocol
import Engine
import JSON
import JSONRPC

/// Values for the arguments of prompts and of the address of a picture, while a person types.
extension MCPService {
  /// The most values of an answer.
  private static let mostValues = 100

  /// `completion/complete`.
  func complete(_ call: Call) async throws -> JSONObject {
    guard let argument = call.params["argument"]?["name"]?.string, let typed = call.params["argument"]?["value"]?.string,
      typed.utf8.count <= SearchLength.maximum
    else { throw ResponseError.malformed("argument must have a name and a short value.") }
    let values: [String]
    switch (call.params["ref"]?["type"]?.string, argument) {
    case ("ref/prompt", "hairstyle"):
      let search = typed.isEmpty ? nil : typed
      values = try await engine.listTemplates(TemplatesList(search: search, limit: Self.mostValues), for: caller).templates
        .map(\.id)
    case ("ref/prompt", "background"): values = Background.named.map(\.text).filter { $0.hasPrefix(typed) }
    case ("ref/prompt", "first"), ("ref/prompt", "second"), ("ref/resource", "generation"):
      values = try await engine.history(History(limit: Self.mostValues), for: caller).entries
        .filter { !$0.images.isEmpty }.map(\.generationId.rawValue).filter { $0.hasPrefix(typed) }
    case ("ref/resource", "index"): values = (0...3).map(String.init).filter { $0.hasPrefix(typed) }
    case ("ref/prompt", _), ("ref/resource", _): values = []
    default: throw ResponseError.malformed("ref must have the type ref/prompt or ref/resource.")
    }
    return [
      "completion": ["values": .array(values.map(JSONValue.string)), "total": .integer(values.count), "hasMore": false]
    ]
  }
}
