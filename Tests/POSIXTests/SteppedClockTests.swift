import POSIX
import Support
import Testing

@Suite("A sleep", .timeLimit(.minutes(2)))
struct SteppedClockTests {
  @Test("a sleep lasts as long as was asked, whether or not it takes several steps", arguments: [0, 5, 700])
  func lasts(milliseconds: Int) async throws {
    let clock = SteppedClock()
    let (begin, duration) = (clock.now, Duration.milliseconds(milliseconds))
    try await clock.sleep(for: duration)
    #expect(clock.now - begin >= duration)
  }

  @Test("sleeps that are cancelled end at once, and nothing of them stays until their time")
  func cancelled() async {
    await #expect(processExitsWith: .success) {
      func cancel(_ count: Int) async {
        for _ in 0..<count {
          let sleep = Task { try await SteppedClock().sleep(for: .seconds(3_600)) }
          await Task.yield()
          sleep.cancel()
          await #expect(throws: CancellationError.self) { try await sleep.value }
        }
      }
      await cancel(1_000)
      let before = AllocatedMemory.bytes
      await cancel(10_000)
      #expect(await AllocatedMemory.growth(since: before, atMost: 1_000_000) <= 1_000_000)
    }
  }
}
