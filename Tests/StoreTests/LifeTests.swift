import AtelierProtocol
import Support
import Testing

@testable import Store

@Suite("The life of a generation", .timeLimit(.minutes(3)))
struct LifeTests {
  @Test("a generation ends at most once, whatever happens in whatever order", arguments: 0..<200 as Range<UInt64>)
  func endsOnce(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var life = GenerationLifecycle()
    for _ in 0..<50 {
      let before = life
      do {
        let event = GenerationLifecycle.Event.random(using: &random)
        try life.apply(event)
        #expect(!before.state.isFinal || life == before, "seed \(seed): \(event) changed a final state")
        if case .delivered(let images, _) = event, images > 0 {
          #expect(before.state == .running, "seed \(seed): pictures of a generation that has not begun")
        }
      } catch {
        #expect(life == before, "seed \(seed): a refusal changed the state")
      }
    }
  }

  @Test("a generation follows the table of its life", arguments: [
    (GenerationState.queued, GenerationLifecycle.Event.started, GenerationState.running),
    (.queued, .cancelRequested, .cancelled),
    (.queued, .failed, .failed),
    (.queued, .returnedToQueue, .queued),
    (.queued, .deadlinePassed, .expired),
    (.queued, .processDied(isRepeatable: true), .queued),
    (.queued, .processDied(isRepeatable: false), .interrupted),
    (.running, .delivered(images: 2, wanted: 2), .succeeded),
    (.running, .delivered(images: 1, wanted: 2), .partial),
    (.running, .delivered(images: 0, wanted: 2), .failed),
    (.running, .failed, .failed),
    (.running, .cancelRequested, .cancelled),
    (.running, .returnedToQueue, .queued),
    (.running, .processDied(isRepeatable: true), .queued),
    (.running, .processDied(isRepeatable: false), .interrupted),
    (.cancelled, .cancelRequested, .cancelled),
  ])
  func follows(before: GenerationState, event: GenerationLifecycle.Event, after: GenerationState) throws {
    var life = GenerationLifecycle(state: before)
    try life.apply(event)
    #expect(life.state == after)
  }

  @Test("a generation refuses what cannot follow", arguments: [
    (GenerationState.queued, GenerationLifecycle.Event.delivered(images: 1, wanted: 1)), (.running, .started),
    (.running, .deadlinePassed), (.succeeded, .cancelRequested), (.partial, .cancelRequested),
    (.failed, .cancelRequested), (.interrupted, .returnedToQueue), (.expired, .started), (.cancelled, .started),
    (.cancelled, .processDied(isRepeatable: true)),
  ])
  func refuses(state: GenerationState, event: GenerationLifecycle.Event) {
    var life = GenerationLifecycle(state: state)
    #expect(throws: GenerationLifecycle.Refusal(state: state, event: event)) { try life.apply(event) }
    #expect(life.state == state)
  }
}

extension GenerationLifecycle.Event {
  static func random(using random: inout SplitMix64) -> Self {
    switch random.next() % 7 {
    case 0: .started
    case 1: .delivered(images: Int(random.next() % 3), wanted: 2)
    case 2: .failed
    case 3: .cancelRequested
    case 4: .returnedToQueue
    case 5: .deadlinePassed
    default: .processDied(isRepeatable: random.next() % 2 == 0)
    }
  }
}
