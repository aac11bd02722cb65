import AtelierProtocol
import ServiceFixture
import Testing

@testable import Engine

@Suite("Many at once", .timeLimit(.minutes(5)))
struct LoadTests {
  @Test("hundreds of requests wait, are cancelled or done, and each is answered once")
  func hundreds() async throws {
    let gate = Gate()
    let provider = ScriptedProvider(maximumConcurrentImages: 4, waitingAt: gate)
    let engine = try ServiceFixture().engine([provider])
    let count = 400
    let tasks = (1...count).map { engine.generate(.picture("picture \($0)")) }
    try await until { await engine.generations.acceptedCount == count }
    #expect(gate.arrivals <= 4)
    // Every second one is cancelled while they wait.
    try await withThrowingTaskGroup { group in
      for index in stride(from: 1, through: count, by: 2) {
        group.addTask {
          let answer = try await engine.cancel(GenerationID(rawValue: "gen_\(index)"))
          #expect(answer.state == .cancelled)
        }
      }
      try await group.waitForAll()
    }
    gate.open()
    var outcomes: [GenerationState: Int] = [:]
    for task in tasks { if let outcome = try await task.value.result?.state { outcomes[outcome, default: 0] += 1 } }
    #expect(outcomes == [.cancelled: count / 2, .succeeded: count / 2])
    await engine.leave()
  }
}
