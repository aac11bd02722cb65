import AtelierProtocol
import Support
import Testing

@testable import Engine

@Suite("The life of a generation", .timeLimit(.minutes(3)))
struct GenerationTests {
  @Test("ends exactly once, whatever happens in whatever order", arguments: 0..<200 as Range<UInt64>)
  func endsOnce(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var generation = Generation()
    var answers = 0
    for _ in 0..<50 {
      let before = generation
      do {
        let effects = try generation.apply(.random(using: &random))
        answers += effects.count { $0 == .answer }
        #expect(!before.state.isFinal || generation == before, "seed \(seed): a final state changed")
      } catch {
        #expect(generation == before, "seed \(seed): a refusal changed the state")
      }
    }
    #expect(answers <= 1, "seed \(seed)")
  }

  @Test("captures or releases what it held exactly once, and captures only for delivered pictures",
    arguments: 0..<200 as Range<UInt64>)
  func settlesOnce(seed: UInt64) throws {
    var random = SplitMix64(seed: seed &+ 1_000)
    var generation = Generation()
    var captures = 0
    var releases = 0
    while !generation.state.isFinal {
      let effects = (try? generation.apply(.random(using: &random))) ?? []
      for case .capture(let credits) in effects {
        captures += 1
        #expect(credits > 0, "seed \(seed): a capture of nothing")
      }
      releases += effects.count { $0 == .releaseHold }
    }
    switch generation.state {
    case .succeeded: #expect((captures, releases) == (1, 0), "seed \(seed)")
    case .partial: #expect((captures, releases) == (1, 1), "seed \(seed)")
    default: #expect((captures, releases) == (0, 1), "seed \(seed)")
    }
  }

  @Test("follows the table", arguments: [
    (GenerationState.queued, Generation.Event.started, GenerationState.running),
    (.queued, .cancelRequested, .cancelled),
    (.queued, .failed, .failed),
    (.queued, .ownerDied(provablyUnsent: true), .queued),
    (.queued, .ownerDied(provablyUnsent: false), .queued),
    (.running, .delivered(images: 2, wanted: 2), .succeeded),
    (.running, .delivered(images: 1, wanted: 2), .partial),
    (.running, .delivered(images: 0, wanted: 2), .failed),
    (.running, .failed, .failed),
    (.running, .cancelRequested, .cancelled),
    (.running, .ownerDied(provablyUnsent: true), .queued),
    (.running, .ownerDied(provablyUnsent: false), .interrupted),
    (.cancelled, .cancelRequested, .cancelled),
    (.running, .turnedAway, .queued),
    (.queued, .waitedTooLong, .expired),
  ])
  func follows(before: GenerationState, event: Generation.Event, after: GenerationState) throws {
    var generation = Generation(state: before)
    _ = try generation.apply(event)
    #expect(generation.state == after)
  }

  @Test("refuses to cancel what was delivered", arguments: [GenerationState.succeeded, .partial, .failed, .interrupted])
  func refusesAfterTheEnd(state: GenerationState) {
    var generation = Generation(state: state)
    #expect(throws: Generation.Refusal(state: state, event: .cancelRequested)) {
      try generation.apply(.cancelRequested)
    }
  }
}

extension Generation.Event {
  static func random(using random: inout SplitMix64) -> Self {
    switch random.next() % 7 {
    case 0: .started
    case 1: .delivered(images: Int(random.next() % 3), wanted: 2)
    case 2: .failed
    case 3: .cancelRequested
    case 4: .turnedAway
    case 5: .waitedTooLong
    default: .ownerDied(provablyUnsent: random.next() % 2 == 0)
    }
  }
}
