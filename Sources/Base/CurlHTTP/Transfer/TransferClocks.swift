import CCurl

/// The time limits of a transfer, as a value type.
struct TransferClocks: Equatable {
  typealias Instant = ContinuousClock.Instant

  private enum Phase: Equatable {
    case connecting
    /// Bytes must move, in either direction; they last did at this instant.
    case moving(since: Instant)
    /// The server is working since this instant, and need not send.
    case waiting(since: Instant)
  }

  private let totalEnd: Instant
  private let connectEnd: Instant
  private let stall: Duration
  private let answer: Duration?
  private var phase = Phase.connecting

  init(_ limits: HTTPLimits, began: Instant) {
    totalEnd = began + limits.total
    connectEnd = began + limits.connect
    stall = limits.stall
    answer = limits.answer
  }

  /// Called when a byte was sent or received, or the connection was established, and more must follow.
  mutating func move(at now: Instant) { phase = .moving(since: now) }

  /// Called when the request is sent: the server may now work for a while.
  mutating func waitForServer(at now: Instant) { phase = .waiting(since: now) }

  func expired(at now: Instant) -> HTTPError.Clock? {
    if totalEnd <= now { return .total }
    switch phase {
    case .connecting: return connectEnd <= now ? .connect : nil
    case .moving(let last): return last + stall <= now ? .stall : nil
    case .waiting(let since): return answer.map { since + $0 <= now } == true ? .stall : nil
    }
  }

  /// An instant before which no limit can expire, whatever happens in the meantime.
  func nextExpiry(from now: Instant) -> Instant {
    switch phase {
    case .connecting: min(totalEnd, connectEnd, now + stall)
    case .moving(let last): min(totalEnd, last + stall)
    case .waiting(let since): min(totalEnd, now + stall, answer.map { since + $0 } ?? totalEnd)
    }
  }
}
