/// When a transfer has taken too long, as a value.
struct TransferClocks: Equatable {
  typealias Instant = ContinuousClock.Instant

  private let totalEnd: Instant
  private let connectEnd: Instant
  private let stall: Duration
  /// When the last byte moved; nil until the connection stands.
  private var lastMovement: Instant?

  init(_ limits: HTTPLimits, began: Instant) {
    totalEnd = began + limits.total
    connectEnd = began + limits.connect
    stall = limits.stall
  }

  /// A byte went to the server or came from it, or the connection has just been made.
  mutating func move(at now: Instant) { lastMovement = now }

  func expired(at now: Instant) -> HTTPError.Clock? {
    if totalEnd <= now { return .total }
    guard let lastMovement else { return connectEnd <= now ? .connect : nil }
    return lastMovement + stall <= now ? .stall : nil
  }

  /// An instant before which no clock runs out, whatever happens from now on.
  func nextExpiry(from now: Instant) -> Instant {
    if let lastMovement { return min(totalEnd, lastMovement + stall) }
    return min(totalEnd, connectEnd, now + stall)
  }
}
