import Glibc
import NIOCore

/// Carrying out the plan of an answer, step by step.
extension ConnectionHandler {
  func answer(_ request: ReceivedRequest, with reply: Reply, _ context: ChannelHandlerContext) {
    journal.change(request.id) { record in
      record.facts = reply.facts
      record.model = reply.model ?? record.model
      record.fault = reply.fault
      record.status = reply.status
      record.state = max(record.state, .received)
    }
    running = PlanRun(request: request, reply: reply)
    advance(context)
  }

  /// Carries out the next step; called again when it is done.
  func advance(_ context: ChannelHandlerContext) {
    guard let step = running?.next() else { return finished(context) }
    switch step {
    case .wait(let milliseconds): schedule(milliseconds, context) { self.advance(context) }
    case .send(let bytes): send(bytes, context) { self.advance(context) }
    case .trickle(let bytes, let count, let milliseconds): trickle(bytes[...], count, milliseconds, context)
    case .forever(let bytes): forever(bytes, context)
    case .hold: hold(context)
    case .stall: break
    case .stopReading:
      setReading(false, context)
      advance(context)
    case .close: close(context)
    case .reset: reset(context)
    }
  }

  func setReading(_ isReading: Bool, _ context: ChannelHandlerContext) {
    // Fails only when the connection is closed already.
    context.channel.setOption(.autoRead, value: isReading).whenFailure { _ in }
  }

  private func hold(_ context: ChannelHandlerContext) {
    guard let id = running?.request.id else { return }
    if released.remove(id) != nil { advance(context) } else { running?.isHeld = true }
  }

  private func schedule(
    _ milliseconds: Int, _ context: ChannelHandlerContext, _ body: @escaping () -> Void
  ) {
    let task = context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(milliseconds))) {
      self.running?.pause = nil
      body()
    }
    running?.pause = { task.cancel() }
  }

  private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext, then next: @escaping () -> Void) {
    guard let run = running else { return }
    let id = run.request.id
    if !run.hasBegun {
      running?.hasBegun = true
      journal.change(id) { [time = journal.now] record in
        record.times.headers = time
        record.state = .answering
      }
    }
    running?.bytesSent += bytes.count
    let promise = context.eventLoop.makePromise(of: Void.self)
    promise.futureResult.assumeIsolated().whenSuccess {
      // Another answer may have taken the place of one that was given up.
      if self.running?.request.id == id { next() }
    }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: promise)
  }

  private func trickle(
    _ bytes: ArraySlice<UInt8>, _ count: Int, _ milliseconds: Int, _ context: ChannelHandlerContext
  ) {
    guard !bytes.isEmpty else { return advance(context) }
    send(Array(bytes.prefix(count)), context) {
      self.schedule(milliseconds, context) {
        self.trickle(bytes.dropFirst(count), count, milliseconds, context)
      }
    }
  }

  private func forever(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
    send(bytes, context) { self.forever(bytes, context) }
  }

  /// The plan is done: the request is answered.
  private func finished(_ context: ChannelHandlerContext) {
    guard let run = running else { return }
    running = nil
    answered = run.request.id
    responder.ended(run, as: .answered)
    if !run.reply.keepsAlive {
      close(context)
    } else if let next = waiting.popFirst() {
      respond(to: next, context)
    }
  }

  private func close(_ context: ChannelHandlerContext) {
    broken()
    context.close(promise: nil)
  }

  private func reset(_ context: ChannelHandlerContext) {
    broken()
    guard let socket = context.channel as? any SocketOptionProvider else { return context.close(promise: nil) }
    // With no time to linger, the system sends RST instead of FIN.
    socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in
      context.close(promise: nil)
    }
  }

  func broken() {
    isClosing = true
    journal.connectionClosed(connection, by: .simulator)
    if let run = running { responder.ended(run, as: .broken) }
    running = nil
  }
}
