import Glibc
import JSON
import Support

/// A host that carries out its plan, and what it had been told by the time its service died.
struct KilledHost: Sendable {
  /// What was asked, by the id it was asked with.
  private(set) var asked: [Int64: KillPlan.Step] = [:]
  /// Every whole message that came.
  private(set) var told: [JSONValue] = []
  private(set) var end: ServiceEnd = .exited(-1)
  private(set) var strayLines: [String] = []

  /// Runs the plan to its end.
  /// - Throws: `SystemError`, `CancellationError`.
  init(_ plan: KillPlan, dataDirectory: String) async throws {
    let service = try ServiceChild(dataDirectory: dataDirectory)
    async let killed: Void = Self.kill(service, plan.kill)
    for step in plan.steps {
      let asked = asked
      try await service.output.wait { output in
        output.isAtEnd || output.messages.count >= step.afterMessages || Self.isQuiet(output, asked)
      }
      let id = service.ask(step.method, .object(step.params))
      self.asked[Int64(id)] = step
    }
    if plan.kill == nil {
      end = try await service.finished()
    } else {
      let asked = asked
      try await service.output.wait { $0.isAtEnd || Self.isQuiet($0, asked) }
      // Killed with nothing left to do, if it has not been before.
      end = try await service.killed()
      try await service.output.wait { $0.isAtEnd }
    }
    try await killed
    told = service.output.value.messages
    strayLines = service.output.value.strayLines
  }

  private static func kill(_ service: ServiceChild, _ kill: KillPlan.Kill?) async throws {
    guard let kill else { return }
    try await service.output.wait { $0.isAtEnd || $0.messages.count >= kill.afterMessages }
    try await Task.sleep(for: .microseconds(kill.delayMicroseconds))
    service.signal(SIGKILL)
  }

  /// Whether all that was asked has come to its end.
  private static func isQuiet(_ output: ServiceOutput, _ asked: [Int64: KillPlan.Step]) -> Bool {
    let accepted = output.messages.filter { $0["result"]?["state"] == "queued" && $0["result"]?["recipe"] == nil }.count
    let finished = output.messages.filter { $0["method"] == "generation/finished" }.count
    return finished >= accepted && asked.keys.allSatisfy { output.answer(to: Int($0)) != nil }
  }
}
