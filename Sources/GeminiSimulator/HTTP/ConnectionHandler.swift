import NIOCore
import NIOHTTP1

/// One connection: reads requests, has them answered, and carries out the plans of the answers, one after another.
///
/// Not `Sendable`: it lives on the event loop of its channel.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = ByteBuffer

  /// A request for a person or a test to go on with what a `hold` stopped.
  struct Release: Sendable {
    var request: Int
  }

  let responder: Responder
  var connection = 0
  /// The request that is being read, unless its answer came early.
  private var incoming: ReceivedRequest?
  /// The body of the request that is being read goes nowhere: it is answered already.
  private var throwsBodyAway = false
  /// No more of the request is read, or what was read is not looked at, until a test releases it.
  private var isUploadHeld = false
  private var isHeldUploadComplete = false
  /// Read, and waiting for the answer before to be complete.
  var waiting: CircularBuffer<ReceivedRequest> = []
  var running: PlanRun?
  /// Whether the connection is being closed, by whichever side.
  var isClosing = false
  private var resetByPeer = false
  /// Whether a test has released a request before it was held.
  var released: Set<Int> = []
  /// The last request that is answered, for the time at which the peer closes.
  var answered: Int?

  init(responder: Responder) { self.responder = responder }

  var journal: Journal { responder.journal }

  func channelActive(context: ChannelHandlerContext) { connection = journal.connectionOpened() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): began(head, context)
    case .body(let bytes): received(bytes, context)
    case .end: ended(context)
    }
  }

  // MARK: Reading

  private func began(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    journal.connectionBrought(connection)
    throwsBodyAway = false
    let request = responder.began(head, connection: connection, channel: context.channel)
    if running == nil, let reply = responder.earlyReply(to: request) {
      throwsBodyAway = true
      answer(request, with: reply, context)
      return
    }
    if request.step.fault == .transport(.holdDuringUpload), released.remove(request.id) == nil {
      isUploadHeld = true
      setReading(false, context)
    }
    let isExpected = head.headers[canonicalForm: "Expect"].contains("100-continue")
    // With an answer under way the peer cannot be waiting for this.
    if running == nil, isExpected, request.step.fault != .transport(.noContinue) {
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
    }
    incoming = request
    if let length = head.headers.first(name: "Content-Length").flatMap(Int.init) {
      // Asked for at once, or a large body would be copied again and again while it grows.
      incoming?.body.reserveCapacity(min(length, Responder.maximumBodyBytes))
    }
  }

  private func received(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    guard !throwsBodyAway, incoming != nil else { return }
    incoming?.body.writeImmutableBuffer(bytes)
    guard let request = incoming, request.body.readableBytes > Responder.maximumBodyBytes else { return }
    incoming = nil
    throwsBodyAway = true
    answer(request, with: responder.tooLarge(request), context)
  }

  private func ended(_ context: ChannelHandlerContext) {
    guard let request = incoming else { return }
    if isUploadHeld {
      isHeldUploadComplete = true
      return
    }
    incoming = nil
    journal.change(request.id) { [time = journal.now] record in
      record.times.bodyComplete = time
      record.bytesReceived = request.body.readableBytes
    }
    if running == nil { respond(to: request, context) } else { waiting.append(request) }
  }

  private func releaseUpload(_ context: ChannelHandlerContext) {
    isUploadHeld = false
    setReading(true, context)
    guard isHeldUploadComplete else { return }
    isHeldUploadComplete = false
    ended(context)
  }

  /// Large bodies are read, and large pictures made, on another thread, so that they do not hold up other connections.
  private static let largeBody = 64 * 1024

  func respond(to request: ReceivedRequest, _ context: ChannelHandlerContext) {
    if request.target.isControl { return control(request, context) }
    let imageBytes = request.step.imageBytes ?? responder.options.imageBytes ?? 0
    guard max(request.body.readableBytes, imageBytes) >= Self.largeBody else {
      return answer(request, with: responder.reply(to: request), context)
    }
    running = PlanRun(request: request, reply: Reply(plan: [.stall]))
    let context = NIOLoopBound(context, eventLoop: context.eventLoop)
    responder.pool.runIfActive(eventLoop: context.value.eventLoop) { [responder] in responder.reply(to: request) }
      .assumeIsolated().whenSuccess { reply in
        guard self.running?.request.id == request.id else { return }
        self.answer(request, with: reply, context.value)
      }
  }

  private func control(_ request: ReceivedRequest, _ context: ChannelHandlerContext) {
    let promise = context.eventLoop.makePromise(of: Reply.self)
    let task = responder.answerControl(request, promise)
    running = PlanRun(request: request, reply: Reply(plan: [.stall]))
    running?.pause = { task?.cancel() }
    promise.futureResult.assumeIsolated().whenSuccess { reply in
      if self.running?.request.id == request.id { self.answer(request, with: reply, context) }
    }
  }

  // MARK: The peer

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let release = event as? Release {
      if isUploadHeld, incoming?.id == release.request { return releaseUpload(context) }
      guard let run = running, run.isHeld, run.request.id == release.request else {
        released.insert(release.request)
        return
      }
      running?.isHeld = false
      advance(context)
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if responder.isStopping.load(ordering: .relaxed) { broken() }
    if !isClosing { peerClosed() }
    context.fireChannelInactive()
  }

  private func peerClosed() {
    isClosing = true
    journal.connectionClosed(connection, by: resetByPeer ? .peerReset : .peer)
    running?.pause?()
    if let run = running { responder.ended(run, as: .closedByPeer) }
    for request in waiting + [incoming].compactMap({ $0 }) {
      responder.ended(PlanRun(request: request, reply: Reply(plan: [])), as: .closedByPeer)
    }
    (running, incoming) = (nil, nil)
    waiting.removeAll()
    guard let answered else { return }
    journal.change(answered) { [time = journal.now] record in record.times.closedByPeer = time }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let parserError = error as? HTTPParserError
    // The peer has closed in the middle of a request; that the channel is inactive is told next.
    if parserError == .invalidEOFState { return }
    if parserError != nil, running == nil {
      isClosing = true
      journal.connectionClosed(connection, by: .simulator)
      let answer = responder.notHTTP
      context.writeAndFlush(
        wrapOutboundOut(ByteBuffer(bytes: answer.headBytes + answer.bodyBytes.joined())), promise: nil)
    } else {
      resetByPeer = true
    }
    context.close(promise: nil)
  }
}
