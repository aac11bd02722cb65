import NIOCore
import NIOHTTP1

/// One connection: reads requests, has them answered one after another, and sees the peer go.
///
/// Not `Sendable`: it lives on the event loop of its channel. That plans are carried out is in the extension.
final class HTTPConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = ByteBuffer

  /// What a test sends to let a request go on that a `hold` stopped.
  struct Release: Sendable {
    var request: Int
  }

  let responder: Responder
  var connection = 0
  /// The request that is being read; nil when the rest of it is thrown away, because it is answered already.
  private var incoming: ReceivedRequest?
  /// No more of the request is read, or what was read is not looked at, until a test releases it.
  private var isUploadHeld = false
  private var isHeldUploadComplete = false
  /// Read, and waiting for the answer before to be complete.
  var waiting: CircularBuffer<ReceivedRequest> = []
  var running: PlanRun?
  /// Whether the connection is being closed, by whichever side.
  var isClosing = false
  private var isResetByPeer = false
  /// What a test has released before it was held.
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
    let request = responder.began(head, connection: connection, channel: context.channel)
    if running == nil, let reply = responder.earlyReply(to: request) { return answer(request, with: reply, context) }
    incoming = request
    if request.step.transportFault == .holdDuringUpload, released.remove(request.id) == nil {
      isUploadHeld = true
      setReading(false, context)
    }
    let isExpected = head.headers[canonicalForm: "Expect"].contains("100-continue")
    // With an answer under way the peer cannot be waiting for this.
    if running == nil, isExpected, request.step.transportFault != .noContinue {
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
    }
    // Asked for at once, or a large body would be copied again and again while it grows.
    request.body.reserveCapacity(min(request.contentLength ?? 0, Responder.maximumBodyBytes))
  }

  private func received(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    guard let request = incoming else { return }
    request.body.writeImmutableBuffer(bytes)
    guard request.body.readableBytes > Responder.maximumBodyBytes else { return }
    incoming = nil
    answer(request, with: Responder.tooLarge, context)
  }

  private func ended(_ context: ChannelHandlerContext) {
    guard let request = incoming else { return }
    if isUploadHeld { return isHeldUploadComplete = true }
    incoming = nil
    journal.change(request.id) { [time = journal.now] record in
      (record.times.bodyComplete, record.bytesReceived) = (time, request.body.readableBytes)
    }
    if running == nil { respond(to: request, context) } else { waiting.append(request) }
  }

  func respond(to request: ReceivedRequest, _ context: ChannelHandlerContext) {
    guard request.target.isControl else { return answer(request, with: responder.reply(to: request), context) }
    // It may wait for what it asks about.
    let promise = context.eventLoop.makePromise(of: HTTPAnswer.self)
    let wait = ControlService(responder: responder).answer(request) { promise.succeed($0) }
    running = PlanRun(request: request, reply: Reply(plan: [.stall]))
    running?.pause = { [journal] in wait.map(journal.giveUp) }
    promise.futureResult.assumeIsolated().whenSuccess { answer in
      guard self.running?.request === request else { return }
      self.answer(request, with: answer.reply, context)
    }
  }

  // MARK: The peer

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard let release = event as? Release else { return context.fireUserInboundEventTriggered(event) }
    if isUploadHeld, incoming?.id == release.request {
      isUploadHeld = false
      setReading(true, context)
      if isHeldUploadComplete { ended(context) }
      isHeldUploadComplete = false
    } else if running?.isHeld == true, running?.request.id == release.request {
      running?.isHeld = false
      advance(context)
    } else {
      released.insert(release.request)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if responder.isStopping.load(ordering: .relaxed) { broken() }
    if !isClosing { peerClosed() }
    context.fireChannelInactive()
  }

  private func peerClosed() {
    isClosing = true
    journal.connectionClosed(connection, by: isResetByPeer ? .peerReset : .peer)
    running?.pause?()
    let unanswered = (waiting + [incoming].compactMap { $0 }).map { PlanRun(request: $0, reply: Reply(plan: [])) }
    for run in [running].compactMap({ $0 }) + unanswered { responder.ended(run, as: .closedByPeer) }
    (running, incoming, waiting) = (nil, nil, [])
    guard let answered else { return }
    journal.change(answered) { [time = journal.now] record in record.times.closedByPeer = time }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let parserError = error as? HTTPParserError
    // The peer has closed in the middle of a request; that the channel is inactive is told next.
    if parserError == .invalidEOFState { return }
    if parserError != nil, running == nil {
      broken()
      var answer = HTTPAnswer.html(status: 400, "<html><body><h1>400 Bad Request</h1></body></html>\n")
      answer.keepsAlive = false
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer.headBytes + answer.wholeBody)), promise: nil)
    } else {
      isResetByPeer = true
    }
    context.close(promise: nil)
  }
}
