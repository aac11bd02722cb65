import AtelierClient
import HTTPTypes
import Hummingbird
import JSON
import Localization

/// How a browser is let in, and what its pages need to know first.
enum SessionRoutes {
  static let all: [Route] = [
    Route(.get, "/session", .everybody) { call in .json(try await state(for: call)) },
    Route(.post, "/session", .everybody, answer: begin),
    Route(.delete, "/session") { call in
      Response(status: .noContent, headers: [.setCookie: try call.host.present.cookies.removal])
    },
  ]

  private static func state(for call: Call) async throws -> JSONValue {
    let host = call.host
    let session = host.session(of: call.request)
    var state: JSONObject = [
      "mode": "personal", "admitted": .bool(session != nil), "version": .string(Version.current),
      "locales": .array(Language.allCases.map { .string($0.rawValue) }), "locale": .string(call.language.rawValue),
      "leaflet": .bool(host.leaflet.isInstalled), "maxPhotoBytes": .number(JSONNumber(Photos.maximumBytes)),
      "map": host.options.map.map { ["tiles": .string($0.tiles), "attribution": .string($0.attribution)] } ?? .null,
    ]
    if let session {
      state["account"] = try Params.json(try await call.studio.send(AccountGet(account: session.account)))
    }
    return .object(state)
  }

  /// Exchanges the secret of the link for a cookie.
  private static func begin(_ call: Call) async throws -> Response {
    let params = try await call.object()
    guard let secret = params["secret"]?.string, call.host.link.exchange(secret) else { throw WebError.linkUsed }
    let session = Session(account: .owner, issued: call.host.surroundings.now().milliseconds / 1000)
    return Response(status: .noContent, headers: [.setCookie: try call.host.present.cookies.header(for: session)])
  }
}
