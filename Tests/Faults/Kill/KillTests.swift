import Testing

extension Faults {
  /// `kill -9` at any moment: whatever a host was told stays true, and nothing else is left.
  @Suite("Killed services")
  struct KillTests {
    /// A series for each seed; rounds of a series share a data directory.
    static let seeds: Range<UInt64> = isProofRun ? 0..<25 : 0..<1

    @Test("a killed service loses nothing it acknowledged and leaves nothing behind", arguments: seeds)
    func kill(seed: UInt64) async throws {
      var series = try KillSeries(seed: seed)
      try await series.run(rounds: 8)
    }
  }
}
