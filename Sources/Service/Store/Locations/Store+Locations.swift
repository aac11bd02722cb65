import AtelierProtocol

extension Store {
  /// How far ahead turns at the geocoder may be given, in milliseconds. A later one was given by a wrong clock.
  private static let longestLineMs: Int64 = 120_000

  /// The kept answer to a question for the geocoder.
  /// - Parameter digest: identifies the question.
  /// - Returns: nil when there is none, or its time is over.
  public func locationAnswer(_ digest: String) async throws(AtelierError) -> [FoundPlace]? {
    let now = surroundings.now().milliseconds
    return try await read { session in
      try session.locations.answer(to: digest, at: now).map { try StoredText.decode(from: $0) }
    }
  }

  /// Keeps an answer of the geocoder, in place of an earlier one to the same question.
  public func keepLocationAnswer(
    _ places: [FoundPlace], digest: String, lifetimeMs: Int64
  ) async throws(AtelierError) {
    let now = surroundings.now().milliseconds
    let (expires, overflow) = now.addingReportingOverflow(lifetimeMs)
    guard !overflow, lifetimeMs > 0 else { return }
    let answer: String
    do { answer = try StoredText.json(places) } catch { throw atelierError(error) }
    try await write(isDurable: false) { session in
      try session.locations.keep(answer, to: digest, at: now, until: expires)
    }
  }

  /// Takes the next turn at the geocoder, after those that any process has taken.
  /// - Parameter intervalMs: the least time between two turns, in milliseconds.
  /// - Returns: how long to wait for it, in milliseconds.
  public func reserveGeocoder(intervalMs: Int64) async throws(AtelierError) -> Int64 {
    try await write(isDurable: false) { [self] session in
      let now = surroundings.now().milliseconds
      let next = try session.locations.nextRequest()
      let turn = next.flatMap { (now...now + Self.longestLineMs).contains($0) ? $0 : nil } ?? now
      try session.locations.setNextRequest(turn + intervalMs)
      return turn - now
    }
  }

  /// Forgets the answers whose time is over.
  func eraseExpiredLocationAnswers() async throws(AtelierError) {
    let now = surroundings.now().milliseconds
    let isDue = try await read { session in try session.locations.earliestExpiry().map { $0 <= now } ?? false }
    guard isDue else { return }
    try await write(isDurable: false) { session in try session.locations.deleteAnswers(expiredAt: now) }
  }
}
