import AtelierClient
import Encodings
import HTTPTypes
import Hummingbird
import JSON
import NIOCore

/// What whoever operates the host asks it: whether it is well, and what it counts. For this machine and the proxies only,
/// and not through them.
enum Operations {
  static func add(to router: Router<WebContext>, _ host: WebHost) {
    router.get("/healthz") { request, context in
      try check(request, context, host)
      let isWell: Void? = try? await withDeadline(patience, orThrow: WebError.serviceLost) {
        _ = try await host.services.studio(host.options.language).send(Ping())
      }
      guard isWell != nil else { return text("The image service does not answer.\n", .serviceUnavailable) }
      return text("ok\n", .ok)
    }
    router.get("/metrics") { request, context in
      try check(request, context, host)
      // Of one service: they count their own work, and share the rest.
      let state = try? await host.operatorServices.studio(.english).send(Status(metrics: true))
      let own = host.counters.text(connections: host.connections.count, streams: host.streams.count)
      guard case .service(let service)? = state else { return text(own, .ok) }
      return text((service.metrics ?? "") + own, .ok)
    }
  }

  /// How long the service may take to say that it is well.
  private static let patience = Duration.seconds(4)

  static func isOperation(_ path: String) -> Bool { path == "/healthz" || path == "/metrics" }

  private static func check(_ request: Request, _ context: WebContext, _ host: WebHost) throws(WebError) {
    let peer = ClientAddress.address(of: context.peer?.ipAddress ?? "")
    let isTrusted = peer.isLoopback || host.options.shop?.trustedProxies.contains(peer) == true
    guard isTrusted, request.headers[.forwardedFor] == nil else { throw .notFound }
  }

  private static func text(_ text: String, _ status: HTTPResponse.Status) -> Response {
    Response(
      status: status, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
