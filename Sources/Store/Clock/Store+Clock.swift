import AtelierProtocol
import GRDB
import Synchronization

extension Store {
  /// The time is recorded at most this often, in milliseconds.
  private static let noteMs: Int64 = 60_000

  /// The system's clock as this transaction sees it.
  func clock(in database: Database) throws -> ClockReading {
    try ClockReading(in: database, system: surroundings.now())
  }

  /// Whether what is over by the system's clock may be deleted or ended: to be asked in the transaction that does it.
  func mayExpire(in database: Database) throws -> Bool { try clock(in: database).mayExpire }

  /// Records what time it is, so that a clock that jumps is noticed; the first to notice it logs it.
  func noteTime(in database: Database) throws {
    let now = surroundings.now()
    // A transaction that comes to nothing takes its note along; the next one comes soon enough.
    guard isTimeToNote(now) else { return }
    notedTime.store(now.milliseconds, ordering: .relaxed)
    if try ClockReading.record(now, in: database), let doubt = ClockDoubt(try clock(in: database)) {
      surroundings.log(true, doubt.sentence)
    }
  }

  /// Records what time it is where nothing else is written for long: else a clock that went on is in doubt.
  func keepTime() async throws(AtelierError) {
    if isTimeToNote(surroundings.now()) { try await write(isDurable: false) { _ in } }
  }

  private func isTimeToNote(_ now: Timestamp) -> Bool {
    let last = Timestamp(milliseconds: notedTime.load(ordering: .relaxed))
    return now.isMore(than: Self.noteMs, after: last) || now < last
  }

  /// What is wrong with the system's clock, as far as the records tell; nil when nothing is.
  public func clockDoubt() async throws(AtelierError) -> ClockDoubt? {
    try await read { [self] in ClockDoubt(try clock(in: $0)) }
  }

  /// Takes the system's clock for right: what is over by it expires from now on.
  /// - Returns: what time it is.
  @discardableResult
  public func confirmClock() async throws(AtelierError) -> Timestamp {
    try await write { [self] database in
      let now = surroundings.now()
      try ClockReading.trust(now, in: database)
      return now
    }
  }
}

/// Why the system's clock is not believed.
public struct ClockDoubt: Sendable, Equatable {
  /// What it says.
  public var now: Timestamp
  /// The latest time on record that was believed.
  public var latest: Timestamp
  /// Whether the clock is ahead of that by more than two days; else it is behind.
  public var isAhead: Bool { now > latest }

  /// One sentence or more, for an operator: what is so, what follows, what to do.
  public var sentence: String {
    isAhead
      ? "The clock says \(now.text), but the latest time on record is \(latest.text). Until this is confirmed, nothing "
        + "expires and nothing is deleted for its age. If the clock is right, run atelier doctor --confirm-clock; it is "
        + "taken for right when it has gone on for a day."
      : "The clock says \(now.text), but something was recorded at \(latest.text). Until then no credits expire and no "
        + "month's credits come. If the clock is right, run atelier doctor --confirm-clock."
  }

  /// - Returns: nil for a clock that is believed.
  init?(_ reading: ClockReading) {
    guard let trusted = reading.trusted, reading.isAhead || reading.isBehind else { return nil }
    (now, latest) = (reading.system, trusted)
  }
}
