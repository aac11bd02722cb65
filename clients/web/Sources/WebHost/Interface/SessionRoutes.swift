import AtelierClient
import HTTPTypes
import Hummingbird
import JSON
import Localization

/// How a browser is let in, who somebody is, and what the pages need to know first.
enum SessionRoutes {
  static let all: [Route] = [
    Route(
      .get, "/session", .everybody,
      RouteDescription(summary: "Who is signed in, and what this host offers", returned: .json)
    ) { call in .json(try await state(of: call)) },
    Route(
      .post, "/session", .everybody,
      RouteDescription(
        summary: "Lets a browser in: with the secret of the link, or as a guest of the public way. A guest is given credits "
          + "unless too many from the same address were", returned: .nothing,
        status: .noContent, body: [("secret", "What stands behind # in the link of the personal way.", false)]),
      answer: begin),
    Route(
      .post, "/session/sign-in", .shop, message: AccountSignIn.self, RouteDescription(own: ["identity"]), answer: signIn),
    Route(
      .delete, "/session", message: AccountSignOut.self,
      RouteDescription(summary: "Signs out", returned: .nothing, status: .noContent, query: [])
    ) { call in
      if let token = WebHost.token(of: call.request) { await call.host.bearers.end(token) }
      return try await signedOut(call.host)
    }.repeated { _, host in try await signedOut(host) },
    Route(.get, "/account", AccountGet.self),
    Route(.post, "/account/consent", AccountConsent.self),
    Route(.delete, "/account", message: AccountDelete.self, RouteDescription(query: [])) { call in
      try await deleted(try await call.host.deleteAccount(call.account, call.language), call.host)
    }.repeated { ended, host in
      guard ended.ending == .deletion else { return nil }
      return try await deleted(AccountDelete.Result(account: ended.account, deleted: 0, bytesFreed: 0), host)
    },
  ]

  private static func signedOut(_ host: WebHost) async throws -> Response {
    Response(status: .noContent, headers: [.setCookie: try await host.cookies.removal])
  }

  private static func deleted(_ result: AccountDelete.Result, _ host: WebHost) async throws -> Response {
    var response = Response.json(host.told(try Params.json(result)))
    response.headers[.setCookie] = try await host.cookies.removal
    return response
  }

  private static func state(of call: Call) async throws -> JSONValue {
    let host = call.host
    let options = host.options
    let visitor = try await host.proof(of: call.request, network: call.visitor.network).visitor
    var state: JSONObject = [
      "mode": .string(options.shop == nil ? "personal" : "public"), "admitted": .bool(visitor != nil),
      "version": .string(Version.current), "locale": .string(call.language.rawValue),
      "locales": .array(Language.allCases.map { .string($0.rawValue) }), "leaflet": .bool(host.leaflet.isInstalled),
      "maxPhotoBytes": .number(JSONNumber(Photos.maximumBytes)),
      "map": options.map.map { ["tiles": .string($0.tiles), "attribution": .string($0.attribution)] } ?? .null,
    ]
    if let visitor {
      state["guest"] = .bool(visitor.isGuest)
      // A page can say why nothing works only if it is told who asks.
      state["account"] = try? call.json(try await call.studio.send(AccountGet(account: visitor.account)))
    }
    if let shop = options.shop {
      state["guests"] = .bool(shop.allowsGuests)
      state["payment"] = .bool(shop.payment != nil)
      state["terms"] = shop.terms.map { ["version": .string($0.version), "url": .string($0.url)] }
      state["signIn"] = .array(
        shop.signIn.map { place in
          [
            "name": .string(place.name), "title": .string(place.title), "authorizeUrl": .string(place.authorizeUrl),
            "clientId": .string(place.clientId),
          ]
        })
    }
    return .object(state)
  }

  /// The personal way: exchanges the secret of the link for a cookie. The public way: begins as a guest.
  private static func begin(_ call: Call) async throws -> Response {
    let params = try await call.object()
    if call.host.options.shop == nil {
      guard let secret = params["secret"]?.string, call.host.link.exchange(secret) else { throw WebError.linkUsed }
      return try await admit(.owner, isGuest: false, call)
    }
    if try await call.host.proof(of: call.request, network: call.visitor.network).visitor != nil {
      return Response(status: .noContent)
    }
    return try await admit(try await call.host.newGuest(call), isGuest: true, call)
  }

  /// Signs a person in with an identity token, and continues with the account that the service names.
  private static func signIn(_ call: Call) async throws -> Response {
    var params = try await call.object()
    try Params.check(params)
    guard params["identity"] == nil else { throw WebError.personalOnly }
    let (host, now) = (call.host, call.host.surroundings.now())
    let token = params["identityToken"]?.string ?? ""
    // A token ends for browsers as it does for apps.
    if await host.bearers.hasEnded(token, at: now) { throw WebError.signInFirst }
    let visitor = try await host.proof(of: call.request, network: call.visitor.network).visitor
    // An account that is somebody's takes another identity only if that person asks for it.
    if params["link"] == true, visitor?.isGuest ?? true { throw WebError.personalOnly }
    let known = visitor.flatMap { $0.isGuest || params["link"] == true ? $0.account : nil }
    let account = known ?? host.guestName()
    params["account"] = .string(account.rawValue)
    let message = try Params.message(AccountSignIn.self, params)
    let answer: AccountSignIn.Result
    do {
      let studio = try await call.studio
      answer = try await known == nil
        ? host.signIn(newcomer: message, studio, from: call.visitor.network) : studio.send(message)
      await host.standings.forget(account)
      await host.standings.notePresence(of: answer.account)
      await host.bearers.note(token, of: answer.account, at: now)
    } catch {
      // It may have been done all the same.
      await host.standings.forget(account)
      throw error
    }
    var response = Response.json(try call.json(answer))
    let since = try await host.standings.read(answer.account, try await call.studio, at: now).since
    let session = Session(account: answer.account, since: since, issued: now.milliseconds / 1000)
    response.headers[.setCookie] = try await host.cookies.header(for: session)
    return response
  }

  private static func admit(_ account: AccountID, isGuest: Bool, _ call: Call) async throws -> Response {
    let session = Session(account: account, isGuest: isGuest, issued: call.host.surroundings.now().milliseconds / 1000)
    return Response(status: .noContent, headers: [.setCookie: try await call.host.cookies.header(for: session)])
  }
}
