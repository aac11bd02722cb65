import NIOCore
import NIOHTTP1

/// Lets the answer to a HEAD end with its headers, also where the length of the body is not known: NIO would send the end of
/// a body in parts, which nobody expects, and which would be read as the beginning of the next answer.
final class HeadResponses: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  func handlerAdded(context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    do {
      // Before the encoder, which knows no methods.
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandler(Bodies(), position: .after(decoder))
    } catch {
      context.fireErrorCaught(error)
    }
  }

  private final class Bodies: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Whether the requests that have not been answered are HEADs, in their order: the next ones may come before the answer.
    private var areHeads: [Bool] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if case .head(let head) = unwrapInboundIn(data) { areHeads.append(head.method == .HEAD) }
      context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      guard case .end = unwrapOutboundIn(data), !areHeads.isEmpty, areHeads.removeFirst() else {
        return context.write(data, promise: promise)
      }
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: promise)
    }
  }
}
