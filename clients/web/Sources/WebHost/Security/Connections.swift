import HTTPTypes
import JSON
import NIOCore
import NIOHTTPTypes
import Synchronization

/// How many connections are served at a time: each takes memory and an open file.
final class Connections: Sendable {
  /// Of the open files that the system allows: for the services, the files of uploads, and what else the process has open.
  private static let reserve = 256
  /// At so few, everything still works.
  private static let least = 16

  let most: Int
  private let open = Atomic(0)

  init(most: Int) { self.most = most }

  /// - Parameters:
  ///   - wanted: what the configuration says.
  ///   - openFiles: how many files the process may have open; nil if it does not matter.
  static func most(wanted: Int, openFiles: Int?) -> Int {
    guard let openFiles else { return wanted }
    // A photo that comes is a file besides its connection; an eighth is for those that are refused.
    return min(wanted, max(least, (openFiles - reserve) * 8 / 17))
  }

  /// So many more at a time are open only to be refused; others wait.
  var mostRefused: Int { max(64, most / 8) }

  var count: Int { open.load(ordering: .relaxed) }

  /// - Returns: whether it may be served. If so, it must be ended.
  func begin() -> Bool {
    guard open.add(1, ordering: .relaxed).newValue > most else { return true }
    end()
    return false
  }

  func end() { open.subtract(1, ordering: .relaxed) }
}

/// One connection: served if there is room, and otherwise told so and closed.
final class ConnectionLimit: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundOut = HTTPResponsePart

  /// How long a request is waited for that is only refused. A proxy connects when it has one.
  private static let patience = TimeAmount.milliseconds(500)

  private let host: WebHost
  private var isServed = true
  private var isAnswered = false

  init(_ host: WebHost) { self.host = host }

  func handlerAdded(context: ChannelHandlerContext) {
    let (connections, channel) = (host.connections, context.channel)
    isServed = connections.begin()
    if isServed { return channel.closeFuture.whenComplete { _ in connections.end() } }
    let closing = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in closing.cancel() }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isServed { return context.fireChannelRead(data) }
    // Not before: who has not sent all of it would not see the answer.
    guard case .end = unwrapInboundIn(data), !isAnswered else { return }
    isAnswered = true
    let (head, body) = host.refusal(.tooManyConnections)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(ByteBuffer(bytes: body))), promise: nil)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
  }
}

extension WebHost {
  /// The answer for an error, where no request is looked at.
  fileprivate func refusal(_ error: WebError) -> (HTTPResponse, [UInt8]) {
    let body = told(error.body(at: surroundings.now())).serialized()
    var fields: HTTPFields = [
      .contentType: "application/json", .cacheControl: "no-store", .connection: "close", .contentLength: "\(body.count)",
    ]
    if let seconds = error.retryAfterSeconds { fields[.retryAfter] = "\(seconds)" }
    headers.add(to: &fields)
    counters.countResponse(status: error.status)
    return (HTTPResponse(status: HTTPResponse.Status(code: error.status), headerFields: fields), body)
  }
}

extension WebError {
  fileprivate static let tooManyConnections: WebError = {
    var error = WebError(503, "overloaded", "Too many people are here at the moment. Please try again shortly.")
    error.isRetryable = true
    error.retryAfterMs = 5000
    return error
  }()
}
