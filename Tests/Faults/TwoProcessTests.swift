import Glibc
import JSON
import Support
import Testing

extension Faults {
  /// Two services share a data directory and know of each other's work.
  @Suite("Two services")
  struct TwoProcessTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    @Test("two services see each other's generations, running and ended")
    func seeEachOther() async throws {
      let (one, other) = (try scene.service(), try scene.service())
      let request = one.ask("generate", scene.headshot(["metadata": ["of": "one"]]))
      try await one.reached("processing", of: request)
      let id = try await one.generation(of: request)
      let running = try await other.call("status", ["generationId": .string(id)])
      #expect(["running", "succeeded"].contains(running["result"]?["state"]?.string), "\(running.text)")
      let answer = try await one.answer(to: request)
      let ended = try await other.call("status", ["generationId": .string(id)])
      #expect(ended["result"]?["state"] == "succeeded", "\(ended.text)")
      #expect(ended["result"]?["images"] == answer["result"]?["images"], "\(ended.text)")
      let page = try await other.call("history")
      #expect(page["result"]?["entries"]?[0]?["generationId"]?.string == id, "\(page.text)")
      #expect(page["result"]?["entries"]?[0]?["metadata"]?["of"] == "one", "\(page.text)")
      // And the other may go on from it.
      let refined = try await other.call(
        "generate", ["recipe": "headshot", "image": ["generationId": .string(id)]])
      #expect(refined["result"]?["state"] == "succeeded", "\(refined.text)")
      try await end(one, other)
    }

    @Test("two services cancel each other's generations: both hosts are told")
    func cancel() async throws {
      let (one, other) = (try scene.service(), try scene.service())
      let requests = (0..<4).map { _ in one.ask("generate", scene.headshot(["output": ["count": 4]])) }
      for request in requests {
        let id = try await one.generation(of: request)
        let cancelled = try await other.call("cancel", ["generationId": .string(id)])
        #expect(cancelled["result"]?["state"] == "cancelled", "\(cancelled.text)")
        let again = try await other.call("cancel", ["generationId": .string(id)])
        #expect(again["result"]?["state"] == "cancelled", "\(again.text)")
        let answer = try await one.answer(to: request)
        #expect(answer["result"]?["state"] == "cancelled", "\(answer.text)")
        #expect(answer["result"]?["images"] == [], "\(answer.text)")
      }
      try await scene.expectHeadshot(by: one)
      try await end(one, other)
    }

    @Test("two services make one generation of one idempotency key, however they race", arguments: 0..<4)
    func idempotency(round: Int) async throws {
      let services = [try scene.service(), try scene.service()]
      let params = scene.headshot(["idempotencyKey": .string("race-\(round)"), "detach": .bool(round % 2 == 1)])
      let asked = (0..<6).map { ($0 % 2, services[$0 % 2].ask("generate", params)) }
      var ids: Set<String> = []
      for (index, request) in asked {
        let answer = try await services[index].answer(to: request)
        if let id = answer["result"]?["generationId"]?.string { ids.insert(id) }
        #expect(answer["error"] == nil, "\(answer.text)")
      }
      #expect(ids.count == 1)
      let mismatch = try await services[0].call(
        "generate", scene.headshot(["idempotencyKey": .string("race-\(round)"), "style": ["background": "casual"]]))
      #expect(mismatch["error"]?["data"]?["kind"] == "idempotency_mismatch", "\(mismatch.text)")
      try await end(services[0], services[1])
      #expect(try DataDirectoryAudit(path: scene.data).states().count == 1)
    }

    @Test("two services take over what a dead one had accepted and not begun")
    func takeOver() async throws {
      let (dying, living) = (try scene.service(), try scene.service())
      // More than are worked on at once, so that the last ones have not begun.
      var ids: [String] = []
      for _ in 0..<8 {
        let answer = try await dying.call("generate", scene.headshot(["detach": true]))
        ids.append(answer["result"]?["generationId"]?.string ?? "")
      }
      try await dying.killed()
      for id in ids {
        // Asking is what makes a living service look for dead ones.
        let answer = try await living.call("status", ["generationId": .string(id)])
        #expect(answer["result"]?["state"]?.string != nil, "\(answer.text)")
      }
      // It claims them one after the other.
      for _ in 0..<20_000 {
        let open = try DataDirectoryAudit(path: scene.data).states().values.filter { $0 == "queued" || $0 == "running" }
        if open.isEmpty { break }
        _ = try await living.call("status")
      }
      let end = try await living.finished()
      #expect(end == .exited(0))
      let states = try DataDirectoryAudit(path: scene.data).states()
      #expect(ids.allSatisfy { ["succeeded", "interrupted"].contains(states[$0]) }, "\(states)")
      #expect(ids.last.flatMap { states[$0] } == "succeeded", "\(states)")
      try scene.expectOrder(processes: 0)
    }

    @Test("two services are both done with what they write at the same time")
    func writeHard() async throws {
      let services = [try scene.service(), try scene.service()]
      // Small work and much of it: every one is several transactions and files.
      let asked = (0..<120).map { ($0 % 2, services[$0 % 2].ask("image/prepare", ["image": scene.image])) }
      let missing: JSONValue = ["recipe": "headshot", "image": ["data": "AAAA"]]
      let refused = (0..<120).map { ($0 % 2, services[$0 % 2].ask("generate", missing)) }
      let made = (0..<6).map { ($0 % 2, services[$0 % 2].ask("generate", scene.headshot())) }
      for (index, request) in asked {
        let answer = try await services[index].answer(to: request)
        #expect(answer["result"]?["preparedId"]?.string != nil, "\(answer.text)")
      }
      for (index, request) in refused {
        let answer = try await services[index].answer(to: request)
        #expect(answer["error"]?["data"]?["kind"] == "unsupported_image", "\(answer.text)")
      }
      for (index, request) in made {
        let answer = try await services[index].answer(to: request)
        #expect(answer["result"]?["state"] == "succeeded", "\(answer.text)")
      }
      try await end(services[0], services[1])
      #expect(try DataDirectoryAudit(path: scene.data).states().count == 126)
    }

    private func end(_ one: ServiceChild, _ other: ServiceChild) async throws {
      for service in [one, other] {
        #expect(try await service.finished() == .exited(0))
        #expect(service.output.value.strayLines == [])
        #expect(service.errorText == "")
      }
      try scene.expectOrder(processes: 0)
    }
  }
}
