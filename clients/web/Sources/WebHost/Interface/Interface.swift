import AtelierClient
import HTTPTypes
import Hummingbird
import JSON
import POSIX

/// How requests reach their routes, and what every answer has.
enum Interface {
  static let base = "/api/v1"

  static func router(of host: WebHost) -> Router<WebContext> {
    let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: Frame(host: host))
    for route in Routes.all {
      router.on(RouterPath(base + route.path), method: route.method) { request, context in
        try await respond(route, request, context, host)
      }
      guard route.method == .get else { continue }
      router.on(RouterPath(base + route.path), method: .head) { request, context in
        try await respond(route, request, context, host).withoutBody
      }
    }
    Operations.add(to: router, host)
    router.get("/assets/**") { request, context in
      let path = context.parameters.getCatchAll().joined(separator: "/")
      guard let file = Pages.file(path, in: host.options.pagesDirectory) else { throw WebError.notFound }
      return file.response(to: request)
    }
    router.get("/vendor/leaflet/**") { request, context in
      guard let file = host.leaflet.files[context.parameters.getCatchAll().joined(separator: "/")] else {
        throw WebError.notFound
      }
      return file.response(to: request)
    }
    return router
  }

  /// The methods of the routes at a path of the interface; empty for none.
  static func methods(at path: String) -> [HTTPRequest.Method] {
    guard path.hasPrefix(base) else { return [] }
    let parts = path.dropFirst(base.count).split(separator: "/", omittingEmptySubsequences: false)
    return Routes.all.filter { route in
      let own = route.path.split(separator: "/", omittingEmptySubsequences: false)
      return own.count == parts.count && zip(own, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }.map(\.method)
  }

  private static func respond(
    _ route: Route, _ request: Request, _ context: WebContext, _ host: WebHost
  ) async throws -> Response {
    let proof = try await host.proof(of: request, context)
    if case .ended(let ended) = proof, let answer = try await route.repetition(ended, host) { return answer }
    let visitor = proof.visitor
    switch route.access {
    case .everybody: break
    case .session: if visitor == nil { throw host.notAdmitted }
    case .personal:
      if visitor == nil { throw host.notAdmitted }
      if host.options.shop != nil { throw WebError.personalOnly }
    case .shop: if host.options.shop == nil { throw WebError.notFound }
    }
    let nobody = Visitor(account: .owner, isGuest: true, network: host.network(of: request, context))
    let call = Call(request: request, parameters: context.parameters, host: host, visitor: visitor ?? nobody)
    try await host.limit(route, call)
    do {
      return try await route.answer(call)
    } catch {
      // Proxies may send what can be repeated twice: what is gone is as it was to be.
      if route.method == .delete, webError(error).status == 404 { return Response(status: .noContent) }
      if (400...499).contains(webError(error).status) { await host.giveBack(route, call) }
      throw error
    }
  }

  /// What is answered for an error, whoever threw it.
  static func webError(_ error: any Error) -> WebError {
    switch error {
    case let error as WebError: error
    case let error as AtelierError: WebError(error)
    case let error as FileFailure:
      error.isStorageFull ? .storageFull : .storageUnavailable
    case let error as HTTPError: WebError(error.status.code, "invalid_request", error.body ?? error.status.reasonPhrase)
    default: WebError(500, "internal", "Something went wrong inside the host. Please try again.")
    }
  }
}

/// Around every request: only from where it may come, with our headers, and with an answer whatever happens.
private struct Frame: RouterMiddleware {
  let host: WebHost

  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      try host.check(request, context)
      response = try await next(request, context)
    } catch let error as HTTPError where error.status == .notFound {
      response = unknown(request)
    } catch {
      response = answer(Interface.webError(error))
    }
    host.headers.add(to: &response.headers)
    host.counters.countResponse(status: response.status.code)
    return response
  }

  /// Every address without a dot that is not the interface's is a screen.
  private func unknown(_ request: Request) -> Response {
    let path = request.uri.path
    let methods = Interface.methods(at: path)
    if !methods.isEmpty {
      var response = answer(.methodNotAllowed)
      response.headers[.allow] = methods.map(\.rawValue).joined(separator: ", ")
      return response
    }
    let isOurs = ["/api/", "/assets/", "/vendor/"].contains { path.hasPrefix($0) } || path.contains(".")
    guard request.method == .get || request.method == .head, !isOurs,
      let screen = Pages.file(Pages.screen, in: host.options.pagesDirectory)
    else {
      return answer(.notFound)
    }
    return screen.response(to: request)
  }

  private func answer(_ error: WebError) -> Response {
    var headers: HTTPFields = [:]
    if let seconds = error.retryAfterSeconds { headers[.retryAfter] = "\(seconds)" }
    if error.closesConnection { headers[.connection] = "close" }
    let body = error.body(at: host.surroundings.now())
    return .json(error.isForOperator ? body : host.told(body), HTTPResponse.Status(code: error.status), headers: headers)
  }
}
