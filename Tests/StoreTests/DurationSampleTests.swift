import AtelierProtocol
import Testing

@testable import Store

@Suite("The usual durations of generations")
struct DurationSampleTests {
  private let kind = DurationEstimator.Kind(provider: "far", recipe: .create)

  @Test("the usual duration is the middle one of the latest, by provider and recipe")
  func median() {
    var durations = DurationEstimator()
    #expect(durations.typicalMs(for: kind) == nil)
    for milliseconds in [10, 9_000, 30, 20, 25] as [Int64] { durations.note(milliseconds, for: kind) }
    #expect(durations.typicalMs(for: kind) == 25)
    #expect(durations.typicalMs(for: DurationEstimator.Kind(provider: "far", recipe: .edit)) == nil)
    for _ in 0..<DurationEstimator.window { durations.note(500, for: kind) }
    #expect(durations.typicalMs(for: kind) == 500)
    #expect(durations.remainingMs(for: kind, elapsedMs: 200) == 300)
    #expect(durations.remainingMs(for: kind, elapsedMs: 700) == 0)
  }

  @Test("the usual duration is known to a new process from history, which yields to what it sees itself")
  func seeded() {
    var durations = DurationEstimator()
    durations.note(100, for: kind)
    durations.seed((0..<100).map { DurationSample(provider: "far", recipe: .create, milliseconds: 1_000 + $0) })
    #expect(durations.typicalMs(for: kind) == 1_011)
    for _ in 0..<13 { durations.note(100, for: kind) }
    #expect(durations.typicalMs(for: kind) == 100)
  }

  @Test("the usual duration tells how long a queue takes of which some are worked on at a time", arguments: [
    (1, 1, 50), (3, 1, 150), (4, 4, 50), (5, 4, 100), (200, 2048, 50), (0, 0, 50),
  ] as [(Int, Int, Int64)])
  func line(position: Int, slots: Int, expected: Int64) {
    var durations = DurationEstimator()
    durations.note(50, for: kind)
    #expect(durations.waitMs(for: kind, position: position, slots: slots) == expected)
  }
}
