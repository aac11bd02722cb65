import AtelierProtocol

extension Store {
  /// A failure this soon after an outage continues that outage, so its probe intervals do not start again from the
  /// shortest.
  private static let relapseMs: Int64 = 10 * 60 * 1000

  /// The providers that cannot be reached, shared by all processes.
  public func outages() async throws(AtelierError) -> [ProviderID: QueueState.Outage] {
    try await read { [self] in try outages(in: $0) }
  }

  func outages(in session: any SQLSession) throws -> [ProviderID: QueueState.Outage] {
    let now = surroundings.now()
    return Dictionary(
      try session.outages.lasting().map { outage in
        (
          outage.provider,
          QueueState.Outage(
            since: min(outage.since, now),
            // A probe time recorded in the future was recorded by a wrong clock.
            nextProbe: outage.probeSet > now ? now : outage.nextProbe)
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Records that a provider was not reached. Changes nothing if that is already known: a hundred requests that meet
  /// the same outage are one failure.
  func noteOutage(of provider: ProviderID, _ backoff: Backoff, in session: any SQLSession) throws {
    let now = surroundings.now()
    var failures = 1
    if let last = try session.outages.latest(of: provider) {
      guard let ended = last.ended else { return }
      let pause = now.milliseconds.subtractingReportingOverflow(ended.milliseconds)
      let isRelapse = !pause.overflow && (-Self.relapseMs..<Self.relapseMs).contains(pause.partialValue)
      if isRelapse, last.failures < .max { failures = last.failures + 1 }
    }
    let pause = backoff.pauseMs(afterFailures: failures, random: surroundings.random())
    try session.outages.begin(of: provider, at: now, failures: failures, nextProbe: now.later(by: Int64(pause)))
  }

  /// Claims the probe of whether a provider can be reached again: one process has the claim at a time. A claim or a
  /// pause that was set in the future is over, because otherwise a wrong clock would make every process wait until that
  /// time.
  /// - Parameter leaseMs: how long the probe may take, in milliseconds; if this process dies, another one probes then.
  /// - Returns: false when it is not time yet, another process is probing, or the outage is over.
  public func claimProbe(of provider: ProviderID, leaseMs: Int) async throws(AtelierError) -> Bool {
    try await write { [self] session in
      let now = surroundings.now()
      return try session.outages.claimProbe(of: provider, at: now, until: now.later(by: Int64(leaseMs)))
    }
  }

  /// Records that a probe did not reach the provider.
  public func putOffProbe(of provider: ProviderID, _ backoff: Backoff) async throws(AtelierError) {
    try await write { [self] session in
      guard let failures = try session.outages.failures(of: provider), failures < .max else { return }
      let pause = backoff.pauseMs(afterFailures: failures + 1, random: surroundings.random())
      let now = surroundings.now()
      try session.outages.putOffProbe(
        of: provider, failures: failures + 1, at: now, until: now.later(by: Int64(pause)))
    }
  }

  /// Records that a provider can be reached again. Does nothing if it always could.
  public func endOutage(of provider: ProviderID) async throws(AtelierError) {
    try await write { [self] session in try session.outages.end(of: provider, at: surroundings.now()) }
  }
}
