import Engine

extension ConfigurationFile {
  /// What becomes of requests that wait for their provider.
  struct Queue: Codable, Sendable, Equatable {
    /// How long one waits that does not say, in milliseconds.
    var deadlineMs: Int?
    /// How often the provider may refuse one before it fails.
    var attempts: Int?
    /// The first pause between two looks at a provider that cannot be reached, in milliseconds; each further one is
    /// twice as long.
    var probeMs: Int?
    /// The longest of these pauses, in milliseconds.
    var maximumProbeMs: Int?
  }
}

extension ConfigurationFile.Queue {
  /// The defaults with what is said here put over them.
  /// - Throws: `CommandFailure` for a value that makes no sense.
  func policy() throws -> QueuePolicy {
    let day = 86_400_000
    var policy = QueuePolicy()
    if let deadlineMs = try checked(deadlineMs, "deadlineMs", 1...30 * day) { policy.deadlineMs = Int64(deadlineMs) }
    policy.attempts = try checked(attempts, "attempts", 1...100) ?? policy.attempts
    policy.probes.firstMs = try checked(probeMs, "probeMs", 1...day) ?? policy.probes.firstMs
    policy.probes.longestMs = try checked(maximumProbeMs, "maximumProbeMs", 1...day) ?? policy.probes.longestMs
    return policy
  }

  private func checked(_ value: Int?, _ name: String, _ range: ClosedRange<Int>) throws -> Int? {
    guard let value, !range.contains(value) else { return value }
    throw CommandFailure(sentence: "queue/\(name) must be from \(range.lowerBound) to \(range.upperBound).")
  }
}
