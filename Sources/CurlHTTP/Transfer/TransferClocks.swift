/// When a transfer has taken too long, as a value.
struct TransferClocks: Equatable {
  typealias Instant = ContinuousClock.Instant

  private enum Phase: Equatable {
    case connecting
    /// Bytes are to move, in either direction; they last did then.
    case moving(since: Instant)
    /// The server works and owes no byte: only the total counts.
    case waiting
  }

  private let totalEnd: Instant
  private let connectEnd: Instant
  private let stall: Duration
  private var phase = Phase.connecting

  init(_ limits: HTTPLimits, began: Instant) {
    totalEnd = began + limits.total
    connectEnd = began + limits.connect
    stall = limits.stall
  }

  /// A byte went to the server or came from it, or the connection has just been made, and more is to come.
  mutating func move(at now: Instant) { phase = .moving(since: now) }

  /// What was to be sent is sent: it is the server's turn, which may think for as long as the total allows.
  mutating func waitForServer() { phase = .waiting }

  func expired(at now: Instant) -> HTTPError.Clock? {
    if totalEnd <= now { return .total }
    switch phase {
    case .connecting: return connectEnd <= now ? .connect : nil
    case .moving(let last): return last + stall <= now ? .stall : nil
    case .waiting: return nil
    }
  }

  /// An instant before which no clock runs out, whatever happens from now on.
  func nextExpiry(from now: Instant) -> Instant {
    switch phase {
    case .connecting: min(totalEnd, connectEnd, now + stall)
    case .moving(let last): min(totalEnd, last + stall)
    case .waiting: min(totalEnd, now + stall)
    }
  }
}
