import POSIX

/// The end of a connection (PROTOCOL 1, "End of input").
extension Connection {
  /// Reads to the end of the input, then finishes what is in flight, or cancels it when nobody is left to read the
  /// answers or the process is to end; both take at most the drain timeout. What is left even then is answered with
  /// -32800 and abandoned. To be called once.
  ///
  /// Afterwards notifications can still be sent, until ``finish(within:)``. Cancelling the calling task terminates the
  /// connection within the settle timeout.
  public func run() async -> ConnectionEnd {
    // A task of its own, because a cancelled one could not wait for anything any more.
    let life = Task { await live() }
    return await withTaskCancellationHandler {
      await life.value
    } onCancel: {
      stop(.terminated(within: limits.settleTimeout))
    }
  }

  private func live() async -> ConnectionEnd {
    do {
      try outgoing.start(writingTo: transport) { [weak self] in self?.stop(.outputFailed) }
      try DedicatedThread.start { [self] in read() }
    } catch {
      stop(.outputFailed)
    }
    let end = await end.value() ?? .terminated(within: .zero)
    endInput()
    handler.inputEnded(hasReader: end.hasReader)
    await drain(after: end)
    answerWhatIsLeft()
    transport.stopWatching()
    // A dying host's input often ends a moment before its output does.
    return end == .inputEnded(hasReader: true) && readerLeft.current != nil ? .inputEnded(hasReader: false) : end
  }

  /// From here on no request is admitted and none of ours can be answered.
  private func endInput() {
    transport.stopReading()
    outgoing.releaseReader()
    let unanswered = state.withLock { state in
      state.hasInputEnded = true
      if state.inFlight.isEmpty { drained.fulfil(()) }
      defer { state.unanswered = [:] }
      return Array(state.unanswered.values)
    }
    for continuation in unanswered { continuation.resume(throwing: ResponseError.connectionClosed) }
  }

  private func drain(after end: ConnectionEnd) async {
    var limit = limits.drainTimeout
    if end == .inputEnded(hasReader: true) {
      switch await firstOf(.drained, .readerLeft, .terminated, within: limit) {
      case .drained: return
      case nil: limit = limits.settleTimeout
      default: break
      }
    }
    cancelAll()
    if await firstOf(.drained, .terminated, within: limit) == .terminated {
      _ = await firstOf(.drained, within: terminated.current ?? .zero)
    }
  }

  private func answerWhatIsLeft() {
    for id in state.withLock({ $0.inFlight.unansweredIDs }) { complete(id, with: .failure(.requestCancelled)) }
  }

  /// Something an ending connection waits for.
  enum Milestone: Sendable {
    case drained, readerLeft, terminated, written
  }

  /// - Returns: which of `milestones` is reached first; nil when none is within `limit`.
  func firstOf(_ milestones: Milestone..., within limit: Duration) async -> Milestone? {
    // What has happened already wins over any timeout, even none.
    if let reached = milestones.first(where: hasReached) { return reached }
    return await withTaskGroup(of: Milestone?.self) { group in
      for milestone in milestones {
        group.addTask {
          await self.reach(milestone)
          return milestone
        }
      }
      group.addTask { [clock] in
        try? await clock.sleep(for: limit)
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }

  private func hasReached(_ milestone: Milestone) -> Bool {
    switch milestone {
    case .drained: drained.current != nil
    case .readerLeft: readerLeft.current != nil
    case .terminated: terminated.current != nil
    case .written: outgoing.ended.current != nil
    }
  }

  private func reach(_ milestone: Milestone) async {
    switch milestone {
    case .drained: _ = await drained.value()
    case .readerLeft: _ = await readerLeft.value()
    case .terminated: _ = await terminated.value()
    case .written: _ = await outgoing.ended.value()
    }
  }
}

extension Clock where Duration == Swift.Duration {
  /// For clocks known only as `any Clock<Duration>`.
  fileprivate func sleep(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration), tolerance: nil)
  }
}

/// Why a connection ended.
public enum ConnectionEnd: Sendable, Equatable {
  /// The input ended. Without a reader, at once or before all was finished, what was in flight was cancelled.
  case inputEnded(hasReader: Bool)
  /// Writing failed: nobody reads the output any more.
  case outputFailed
  /// The host is dead (``Connection/stop(_:)``).
  case hostDied
  /// The process is asked to end; what is in flight was cancelled and given at most this long to settle.
  case terminated(within: Duration)

  /// Whether anybody was left to read answers.
  public var hasReader: Bool {
    switch self {
    case .inputEnded(let hasReader): hasReader
    case .terminated: true
    case .outputFailed, .hostDied: false
    }
  }
}
