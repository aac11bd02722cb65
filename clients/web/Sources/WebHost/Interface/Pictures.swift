import AtelierClient
import Hummingbird
import JSON

/// Pictures by the ids of their generations, never by a path.
enum Pictures {
  static func image(_ call: Call) async throws -> Response {
    let (query, sheet) = sheet(in: call.query())
    var params = query
    // Without the operator's mark, a preview is no picture to print.
    params["sheet"] = marksPreviews(for: call) ? nil : sheet
    params["index"] = JSONNumber(text: try call.parameter("index")).map(JSONValue.number) ?? .null
    if marksPreviews(for: call) { params["variant"] = nil }
    return try await picture(params, call)
  }

  /// The members of a sheet for printing, which a query has side by side with the others, as OpenAPI writes objects there.
  private static func sheet(in query: JSONObject) -> (rest: JSONObject, sheet: JSONValue?) {
    var (rest, sheet) = (query, JSONObject())
    for member in ["paper", "copies", "format", "cuttingLines"] {
      sheet[member] = query[member]
      rest[member] = nil
    }
    return (rest, sheet.isEmpty ? nil : .object(sheet))
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
    if marksPreviews(for: call) {
      // Also what a picture was made from: it may be another picture.
      params["watermark"] = true
      params["maxSide"] = .number(JSONNumber(min(params["maxSide"]?.number?.integer() ?? previewSide, previewSide)))
    }
    params["generationId"] = .string(try call.parameter("generation"))
    params["account"] = .string(call.account.rawValue)
    let (bytes, type) = try await call.studio.picture(try Params.message(ImageRead.self, params))
    return .picture(bytes, type)
  }
}
