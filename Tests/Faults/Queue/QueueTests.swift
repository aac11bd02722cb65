import JSON
import Support
import Testing

extension Faults {
  /// Requests that wait for a provider, in services that end in every way.
  @Suite("A queue")
  struct QueueTests {
    private let scene: QueueScene

    init() async throws { scene = try await QueueScene() }

    /// Returns once the generation waits for its provider.
    private func waits(_ id: String, in service: ServiceChild) async throws {
      _ = try await service.notification("generation/progress") {
        $0["generationId"]?.string == id && $0["message"]?.string == "Waiting for Google Gemini…"
      }
    }

    private func accept(_ prompt: String, by service: ServiceChild, _ members: JSONObject = [:]) async throws -> String {
      var members = members
      members["detach"] = true
      let answer = try await service.call("generate", QueueScene.patient(prompt, members))
      let id = try #require(answer["result"]?["generationId"]?.string, "\(answer.text)")
      try await waits(id, in: service)
      return id
    }

    @Test("a queue is there again after its service was killed, and is worked off when the provider is back")
    func restart() async throws {
      let first = try scene.service()
      var ids: [String] = []
      for number in 1...5 { ids.append(try await accept("number \(number)", by: first)) }
      try await first.killed()
      let second = try scene.service()
      let status = try await second.call("status", ["generationId": .string(ids[4])])
      #expect(status["result"]?["state"] == "queued", "\(status.text)")
      #expect(status["result"]?["progress"]?["queuePosition"] == 5, "\(status.text)")
      try await scene.switchOn()
      for id in ids { _ = try await second.notification("generation/finished") { $0["generationId"]?.string == id } }
      #expect(try await second.finished() == .exited(0))
      #expect(try scene.states().values.allSatisfy { $0 == "succeeded" })
      #expect(scene.prompts.count == 5)
      await scene.switchOff()
    }

    @Test("a queue is taken over by a living neighbour that nobody asks")
    func neighbour() async throws {
      let (dying, living) = (try scene.service(), try scene.service())
      let mine = try await accept("the neighbour's own", by: living)
      let left = try await accept("what is left", by: dying)
      try await dying.killed()
      try await scene.switchOn()
      for id in [mine, left] {
        let finished = try await living.notification("generation/finished") { $0["generationId"]?.string == id }
        #expect(finished["state"] == "succeeded", "\(finished.text)")
      }
      #expect(try await living.finished() == .exited(0))
      #expect(scene.prompts.count == 2)
      await scene.switchOff()
    }

    @Test("a queue is left to the next service at the end of input, and whoever waited is told so")
    func endOfInput() async throws {
      let first = try scene.service()
      let request = first.ask("generate", QueueScene.patient("a lighthouse", ["idempotencyKey": "k"]))
      let id = try await first.generation(of: request)
      try await waits(id, in: first)
      #expect(try await first.finished() == .exited(0))
      let answer = try await first.answer(to: request)
      #expect(answer["error"]?["data"]?["kind"] == "interrupted", "\(answer.text)")
      #expect(try scene.states() == [id: "queued"])
      // Nobody reads any more what the next one is told.
      let second = try scene.service()
      let again = second.ask("generate", QueueScene.patient("a lighthouse", ["idempotencyKey": "k"]))
      try await scene.switchOn()
      let end = try await second.answer(to: again)
      #expect(end["result"]?["generationId"]?.string == id && end["result"]?["state"] == "succeeded", "\(end.text)")
      #expect(try await second.finished() == .exited(0))
      #expect(scene.prompts.count == 1)
      await scene.switchOff()
    }

    @Test("a queue loses what another service cancels, at once and for its own host as well")
    func cancel() async throws {
      let (one, other) = (try scene.service(), try scene.service())
      let request = one.ask("generate", QueueScene.patient("a lighthouse"))
      let id = try await one.generation(of: request)
      try await waits(id, in: one)
      let cancelled = try await other.call("cancel", ["generationId": .string(id)])
      #expect(cancelled["result"]?["state"] == "cancelled", "\(cancelled.text)")
      let answer = try await one.answer(to: request)
      #expect(answer["result"]?["state"] == "cancelled", "\(answer.text)")
      let queue = try await other.call("queue/status")
      #expect(queue["result"]?["waiting"] == 0, "\(queue.text)")
      for service in [one, other] { #expect(try await service.finished() == .exited(0)) }
    }

    @Test("a queue expires while no service runs")
    func expires() async throws {
      let first = try scene.service()
      let id = try await accept("a lighthouse", by: first, ["waitMs": 1_500])
      #expect(try await first.finished() == .exited(0))
      let second = try scene.service()
      var state: String?
      while state != "expired" {
        let status = try await second.call("status", ["generationId": .string(id)])
        state = status["result"]?["state"]?.string
        #expect(["queued", "expired"].contains(state), "\(status.text)")
      }
      #expect(try await second.finished() == .exited(0))
      #expect(scene.prompts.isEmpty)
    }

    @Test(
      "a queue waits on a full disk, and goes on when there is room",
      .enabled(if: SmallDisk.isPermitted, "only root may mount"))
    func fullDisk() async throws {
      let disk = try SmallDisk(bytes: 3 << 20)
      let scene = try await QueueScene(data: "\(disk.path)/data")
      let service = try scene.service()
      let id = try await accept("a lighthouse", by: service)
      disk.fill()
      try await scene.switchOn()
      for _ in 0..<100 {
        let status = try await service.call("status", ["generationId": .string(id)])
        #expect(status["result"]?["state"] == "queued", "\(status.text)")
      }
      disk.resize(bytes: 64 << 20)
      let finished = try await service.notification("generation/finished")
      #expect(finished["state"] == "succeeded", "\(finished.text)")
      #expect(try await service.finished() == .exited(0))
      #expect(scene.prompts.count == 1)
      await scene.switchOff()
    }
  }
}
