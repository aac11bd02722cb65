import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes a connection behind an answer that came before the request's body was read, once the rest of it has become too
/// much: a browser that has sent all of it sees the answer, and nobody can keep us reading.
final class UnreadBodies: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let most: Int
  private var isBodyExpected = false
  private var isAnswered = false
  private var unread = 0
  private var closing: Scheduled<Void>?

  /// - Parameter most: the most bytes that are read and thrown away.
  init(most: Int) { self.most = most }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      (isBodyExpected, isAnswered, unread) = (true, false, 0)
      closing?.cancel()
    case .body(let part):
      if isAnswered {
        unread += part.readableBytes
        if unread > most { return context.close(promise: nil) }
        // It has been answered: nobody reads it, and it needs no room.
        context.read()
        return
      }
    case .end:
      isBodyExpected = false
      closing?.cancel()
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data), isBodyExpected {
      isAnswered = true
      // Whoever sends nothing more does not keep the connection.
      let channel = context.channel
      closing = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    }
    context.write(data, promise: promise)
  }

  /// How long the rest of a body is waited for that nobody reads.
  private static let patience = TimeAmount.seconds(5)
}
