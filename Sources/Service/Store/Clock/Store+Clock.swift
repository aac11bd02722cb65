import AtelierProtocol

extension Store {
  /// The time is recorded at most this often, in milliseconds.
  private static let noteMs: Int64 = 60_000

  /// The system clock as this transaction sees it.
  func clock(in session: any SQLSession) throws -> ClockReading {
    try ClockReading(in: session, system: surroundings.now())
  }

  /// Whether data that has expired by the system clock may be deleted or ended: ask in the transaction that does it.
  func mayExpire(in session: any SQLSession) throws -> Bool { try clock(in: session).mayExpire }

  /// Records the time, so that a clock jump is noticed; the first process that notices one logs it.
  func noteTime(in session: any SQLSession) throws {
    let now = surroundings.now()
    // A transaction that fails loses its record; the next one follows soon enough.
    guard isTimeToNote(now) else { return }
    notedTime.store(now.milliseconds, ordering: .relaxed)
    if try ClockReading.record(now, in: session), let doubt = ClockDoubt(try clock(in: session)) {
      surroundings.log(true, doubt.sentence)
    }
  }

  /// Records the time when nothing else is written for long: otherwise a clock that runs normally would be in doubt.
  func keepTime() async throws(AtelierError) {
    if isTimeToNote(surroundings.now()) { try await write(isDurable: false) { _ in } }
  }

  private func isTimeToNote(_ now: Timestamp) -> Bool {
    let last = Timestamp(milliseconds: notedTime.load(ordering: .relaxed))
    return now.isMore(than: Self.noteMs, after: last) || now < last
  }

  /// The doubt about the system clock, as far as the records show; nil when there is none.
  public func clockDoubt() async throws(AtelierError) -> ClockDoubt? {
    try await read { [self] in ClockDoubt(try clock(in: $0)) }
  }

  /// Trusts the system clock: data that has expired by it expires from now on.
  /// - Returns: the current time.
  @discardableResult
  public func confirmClock() async throws(AtelierError) -> Timestamp {
    try await write { [self] session in
      let now = surroundings.now()
      try ClockReading.trust(now, in: session)
      return now
    }
  }
}
