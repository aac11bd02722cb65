import NIOCore
import NIOHTTP1

/// Closes the connections of clients of HTTP/1.0 behind the answer, which is where it ends for them: Hummingbird is not told
/// the version, and would keep them open and send parts that these clients do not understand.
final class OldClients: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  func handlerAdded(context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    do {
      // Only there, requests have a version.
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandler(Version(), position: .after(decoder))
    } catch {
      context.fireErrorCaught(error)
    }
  }

  /// Remembers the version of the request that is being answered.
  private final class Version: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var isOld = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
      isOld = (head.version.major, head.version.minor) < (1, 1)
      // Who asks for one that is kept is not believed: one answer is all there is.
      if isOld { head.headers.replaceOrAdd(name: "Connection", value: "close") }
      // They would take the first of two answers for the only one (RFC 9110, 10.1.1).
      if isOld { head.headers.remove(name: "Expect") }
      context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      guard isOld, case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
      // The encoder then sends what has no length as it is.
      head.version = .http1_0
      head.headers.replaceOrAdd(name: "Connection", value: "close")
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
  }
}
