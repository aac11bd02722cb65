import Support
import Testing

@testable import Store

@Suite("The pauses between two looks at a provider")
struct ProbeBackoffTests {
  @Test(
    "the pauses between looks double up to the longest, and are never shorter than half", arguments: 0..<50 as Range<UInt64>)
  func doubles(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let backoff = Backoff(firstMs: 1_000, longestMs: 60_000)
    let full = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]
    for (index, most) in full.enumerated() {
      let pause = backoff.pauseMs(afterFailures: index + 1, random: random.next())
      #expect(pause >= most / 2 && pause <= most, "seed \(seed), failure \(index + 1): \(pause)")
    }
    #expect((30_000...60_000).contains(backoff.pauseMs(afterFailures: .max, random: random.next())), "seed \(seed)")
  }

  @Test("the pauses between looks are of some length whatever is configured", arguments: [(0, 0), (1, 1), (5, 3), (-7, 10)])
  func odd(first: Int, longest: Int) {
    let backoff = Backoff(firstMs: first, longestMs: longest)
    for failures in [0, 1, 2, 50] { #expect((1...10).contains(backoff.pauseMs(afterFailures: failures, random: 3))) }
  }
}
