import Glibc
import POSIX
import Synchronization

/// What the connections of a process to one server know together of whether it answers.
///
/// A server that takes what it is sent and says nothing would hold up each question for as long as an answer may take.
/// After one that it has not answered, the others are therefore refused at once; now and then one is let through, and its
/// answer lets all go on.
final class PostgreSQLReach: Sendable {
  /// How long nothing may be heard of a server before what waits for it is given up. Longer than between two heartbeats,
  /// which show that a server lives that works on something for long.
  static let silence = Duration.seconds(7)
  /// For how long questions are refused after one that was let through had no answer.
  static let pause = Duration.seconds(5)
  /// How long work waits for a server that is away: longer than another one takes to come in its place.
  static let outage = Duration.seconds(12)
  /// How long one that was let through may take, before another one is.
  private static let trial = Duration.seconds(15)

  let clock: PostgreSQLClock
  private let state = Mutex(State())

  private struct State {
    /// When the server last said anything.
    var heard: ContinuousClock.Instant?
    /// Since when it cannot be asked; nil while it answers.
    var away: ContinuousClock.Instant?
    /// Why it could not be asked last.
    var loss: PostgreSQLFault?
    /// Until when questions are refused, after which one is let through; nil while it answers.
    var refusal: ContinuousClock.Instant?
    /// Whether heartbeats show that the server lives.
    var isWatched = false
    /// Why nothing may be written any more.
    var verdict: StoreError?
  }

  init(clock: PostgreSQLClock = PostgreSQLClock()) { self.clock = clock }

  /// Called by the heartbeats, when they begin and when they end.
  func watch(_ isWatched: Bool) { state.withLock { $0.isWatched = isWatched } }

  /// Called with each answer, whatever it says.
  func noteAnswer() {
    let now = clock.now()
    state.withLock { ($0.heard, $0.away, $0.refusal, $0.loss) = (now, nil, nil, nil) }
  }

  /// Called when a connection was lost or refused, which is no silence.
  func noteLoss(_ fault: PostgreSQLFault) {
    let now = clock.now()
    state.withLock { ($0.away, $0.refusal, $0.loss) = ($0.away ?? now, nil, fault) }
  }

  /// Called when nothing was said.
  /// - Parameter isOfNewConnection: false for one that was in use: it may be alone in that, so the next is let through.
  func noteSilence(isOfNewConnection: Bool) {
    let now = clock.now()
    state.withLock { state in
      state.away = state.away ?? now
      state.refusal = isOfNewConnection ? now + Self.pause : now
    }
  }

  /// Notes what makes the database useless for as long as this process runs.
  func judge(_ verdict: StoreError) { state.withLock { $0.verdict = $0.verdict ?? verdict } }

  /// Call this before a question.
  /// - Throws: when it should not be asked: a ``PostgreSQLFault`` for now, a ``StoreError`` for good.
  func check() throws {
    let now = clock.now()
    let isRefused = try state.withLock { state in
      if let verdict = state.verdict { throw verdict }
      guard let refusal = state.refusal else { return false }
      if now < refusal { return true }
      // This one is let through, and none until it has an answer, or had time for one.
      state.refusal = now + Self.trial
      return false
    }
    if isRefused { throw PostgreSQLFault.silence(Self.silence) }
  }

  /// What is known to be wrong with the database, without asking it.
  /// - Throws: as ``check()``; also where the server has been away for longer than work waits for it.
  func checkKnown() throws {
    let now = clock.now()
    let (isSilent, isAway, loss) = try state.withLock { state in
      if let verdict = state.verdict { throw verdict }
      let isSilent = state.refusal.map { now < $0 } ?? false
      return (isSilent, state.away.map { now - $0 > Self.outage } ?? false, state.loss)
    }
    if isSilent { throw PostgreSQLFault.silence(Self.silence) }
    if isAway { throw loss ?? .lost("the server cannot be reached") }
  }

  /// Whether work should wait no longer for the server.
  var isAwayForLong: Bool {
    let now = clock.now()
    return state.withLock { state in
      state.away.map { now - $0 > Self.outage } ?? false || state.refusal.map { now < $0 } ?? false
    }
  }

  /// Whether the server is silent, so that what was sent at `sent` need not be waited for.
  func isSilent(since sent: ContinuousClock.Instant) -> Bool {
    let now = clock.now()
    return state.withLock { state in
      state.isWatched && now - max(sent, state.heard ?? sent) > Self.silence
    }
  }
}

/// The time by which a server is waited for.
public struct PostgreSQLClock: Sendable {
  public var now: @Sendable () -> ContinuousClock.Instant = { .now }
  /// How often it is looked whether to wait on, in milliseconds.
  public var glance: Int64 = 200
  /// Waits, on the calling thread.
  public var pause: @Sendable (Duration) -> Void = { usleep(UInt32(clamping: $0.wholeMilliseconds * 1000)) }

  public init() {}
}
