import POSIX

/// The end of a connection.
extension Connection {
  /// Reads to the end of the input, then finishes the requests in flight, or cancels them if nobody can read the
  /// answers or the process must end; both take at most the drain timeout. Requests still unfinished then are answered
  /// with -32800 and abandoned. Must be called once.
  ///
  /// Afterwards notifications can still be sent, until ``finish(within:)``. Cancelling the calling task terminates the
  /// connection within the finish timeout.
  public func run() async -> ConnectionEnd {
    // A separate task, because a cancelled task cannot wait any more.
    let life = Task { await live() }
    return await withTaskCancellationHandler {
      await life.value
    } onCancel: {
      stop(.terminated(within: limits.finishTimeout))
    }
  }

  private func live() async -> ConnectionEnd {
    do {
      try outgoing.start(writingTo: transport) { [weak self] in self?.outputFailed() }
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
    // The input of a dying host often ends a moment before its output does.
    return end == .inputEnded(hasReader: true) && readerLeft.current != nil ? .inputEnded(hasReader: false) : end
  }

  /// From here on no request is admitted, and our own requests cannot be answered.
  private func endInput() {
    transport.stopReading()
    outgoing.releaseReader()
    let unanswered = state.withLock { state in
      state.hasInputEnded = true
      if state.inFlight.isEmpty { drained.fulfil(()) }
      defer { state.unanswered = [:] }
      return Array(state.unanswered.values)
    }
    for answered in unanswered { answered(.failure(ResponseError.connectionClosed)) }
  }

  /// A peer that ends has often written more than was read so far.
  private func outputFailed() {
    guard role == .client else { return stop(.outputFailed) }
    Task { [clock, limits] in
      try? await clock.sleep(for: limits.finishTimeout)
      stop(.outputFailed)
    }
  }

  private func drain(after end: ConnectionEnd) async {
    var limit = limits.drainTimeout
    if end == .inputEnded(hasReader: true) {
      switch await firstOf(.drained, .readerLeft, .terminated, within: limit) {
      case .drained: return
      case nil: limit = limits.finishTimeout
      default: break
      }
    }
    handler.requestsEnd()
    cancelAll()
    if await firstOf(.drained, .terminated, within: limit) == .terminated {
      _ = await firstOf(.drained, within: terminated.current ?? .zero)
    }
  }

  private func answerWhatIsLeft() {
    for id in state.withLock({ $0.inFlight.unansweredIDs }) { complete(id, with: .failure(.requestCancelled)) }
  }

  /// An event that an ending connection waits for.
  enum Milestone: Sendable {
    case drained, readerLeft, terminated, written
  }

  /// - Returns: the first of `milestones` to be reached; nil when none is reached within `limit`.
  func firstOf(_ milestones: Milestone..., within limit: Duration) async -> Milestone? {
    // A milestone that is already reached wins over any timeout, even zero.
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
  /// For clocks whose static type is only `any Clock<Duration>`.
  fileprivate func sleep(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration), tolerance: nil)
  }
}

/// Why a connection ended.
public enum ConnectionEnd: Sendable, Equatable {
  /// The input ended. If there was no reader, at once or before all was finished, requests in flight were cancelled.
  case inputEnded(hasReader: Bool)
  /// Writing failed: nobody reads the output any more.
  case outputFailed
  /// The host process died (``Connection/stop(_:)``).
  case hostDied
  /// The process was asked to end; requests in flight were cancelled and given at most this long to finish.
  case terminated(within: Duration)

  /// Whether anyone could still read answers.
  public var hasReader: Bool {
    switch self {
    case .inputEnded(let hasReader): hasReader
    case .terminated: true
    case .outputFailed, .hostDied: false
    }
  }
}
