import Glibc
import NIOCore

/// The plan of one answer while it is carried out.
struct PlanRun {
  let request: ReceivedRequest
  let reply: Reply
  private var rest: ArraySlice<PlanStep>
  /// Whether a test must release it.
  var isHeld = false
  /// Gives up waiting for time to pass.
  var pause: (() -> Void)?
  var bytesSent = 0

  init(request: ReceivedRequest, reply: Reply) {
    (self.request, self.reply, rest) = (request, reply, reply.plan[...])
  }

  mutating func next() -> PlanStep? { rest.popFirst() }
}

/// Carrying out the plan of an answer, step by step.
extension HTTPConnectionHandler {
  func answer(_ request: ReceivedRequest, with reply: Reply, _ context: ChannelHandlerContext) {
    journal.change(request.id) { record in
      (record.facts, record.model) = (request.facts, request.model ?? record.model)
      (record.fault, record.status) = (reply.fault, reply.status)
      record.state = max(record.state, .received)
    }
    if request.step.transportFault == .surprisingClose { joinAnswerAndClose(context) }
    running = PlanRun(request: request, reply: reply)
    advance(context)
  }

  /// Has the system send the answer in one packet with the end of the connection, or a client could use the connection
  /// again in the moment between them, which no client could be blamed for.
  private func joinAnswerAndClose(_ context: ChannelHandlerContext) {
    let cork = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_CORK))
    // Fails only when the connection is closed already.
    context.channel.setOption(cork, value: 1).whenFailure { _ in }
  }

  /// Carries out the next step; called again when it is done.
  func advance(_ context: ChannelHandlerContext) {
    guard let step = running?.next() else { return finished(context) }
    switch step {
    case .wait(let milliseconds): wait(milliseconds, context)
    case .send(let bytes): send(bytes, context) { self.advance(context) }
    case .forever(let bytes): forever(bytes, context)
    case .hold:
      guard let id = running?.request.id else { return }
      if released.remove(id) != nil { advance(context) } else { running?.isHeld = true }
    case .stall: break
    case .stopReading:
      setReading(false, context)
      advance(context)
    case .close:
      broken()
      context.close(promise: nil)
    case .reset: reset(context)
    }
  }

  func setReading(_ isReading: Bool, _ context: ChannelHandlerContext) {
    // Fails only when the connection is closed already.
    context.channel.setOption(.autoRead, value: isReading).whenFailure { _ in }
  }

  private func wait(_ milliseconds: Int, _ context: ChannelHandlerContext) {
    let task = context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(milliseconds))) {
      self.running?.pause = nil
      self.advance(context)
    }
    running?.pause = { task.cancel() }
  }

  private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext, then next: @escaping () -> Void) {
    guard let request = running?.request else { return }
    if running?.bytesSent == 0 {
      journal.change(request.id) { [time = journal.now] record in
        (record.times.headers, record.state) = (time, .answering)
      }
    }
    running?.bytesSent += bytes.count
    let promise = context.eventLoop.makePromise(of: Void.self)
    promise.futureResult.assumeIsolated().whenSuccess {
      // Another answer may have taken the place of one that was given up.
      if self.running?.request === request { next() }
    }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: promise)
  }

  private func forever(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
    send(bytes, context) { self.forever(bytes, context) }
  }

  /// The plan is done: the request is answered.
  private func finished(_ context: ChannelHandlerContext) {
    guard let run = running else { return }
    (running, answered) = (nil, run.request.id)
    if !run.reply.keepsAlive {
      broken()
      context.close(promise: nil)
    }
    responder.ended(run, as: .answered)
    if !isClosing, let next = waiting.popFirst() { respond(to: next, context) }
  }

  private func reset(_ context: ChannelHandlerContext) {
    broken()
    guard let socket = context.channel as? any SocketOptionProvider else { return context.close(promise: nil) }
    // With no time to linger, the system sends RST instead of FIN.
    socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in
      context.close(promise: nil)
    }
  }

  /// The simulator ends the connection.
  func broken() {
    isClosing = true
    journal.connectionClosed(connection, by: .simulator)
    if let run = running { responder.ended(run, as: .broken) }
    running = nil
  }
}
