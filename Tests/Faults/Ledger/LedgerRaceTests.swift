import Support
import Testing

extension Faults {
  /// Many services, one balance.
  @Suite("Services that share a ledger")
  struct LedgerRaceTests {
    @Test("services that share a ledger give the last credit of an account to one of sixteen that want it, every time")
    func lastCredit() async throws {
      let scene = try await LedgerScene()
      let services = try (0..<16).map { _ in try scene.service() }
      for round in 0..<(isProofRun ? 1_000 : 25) {
        let params = LedgerScene.create(for: "guest \(round)", "a lighthouse")
        let requests = services.map { $0.ask("generate", params) }
        var winners = 0
        for (service, request) in zip(services, requests) {
          let answer = try await service.answer(to: request)
          if answer["result"]?["state"] == "succeeded" {
            winners += 1
            #expect(answer["result"]?["credits"]?["charged"] == 1, "round \(round): \(answer.text)")
          } else {
            // The winner's may still run: then there is no credit, nor a second place.
            let kind = answer["error"]?["data"]?["kind"]?.string ?? ""
            #expect(["insufficient_credits", "concurrent_limit"].contains(kind), "round \(round): \(answer.text)")
          }
        }
        #expect(winners == 1, "round \(round)")
      }
      for service in services { #expect(try await service.finished() == .exited(0)) }
      try await scene.expectBalanced("after the race")
    }

    @Test("services that get one idempotency key at the same moment make one generation of it, and charge it once")
    func idempotent() async throws {
      let scene = try await LedgerScene()
      let services = try (0..<8).map { _ in try scene.service() }
      for round in 0..<(isProofRun ? 200 : 10) {
        let account = "guest \(round)"
        let params = LedgerScene.create(for: account, "a lighthouse", ["idempotencyKey": "the same"])
        let requests = services.map { $0.ask("generate", params) }
        var ids: Set<String> = []
        for (service, request) in zip(services, requests) {
          let answer = try await service.answer(to: request)
          #expect(answer["result"]?["state"] == "succeeded", "round \(round): \(answer.text)")
          #expect(answer["result"]?["credits"]?["charged"] == 1, "round \(round): \(answer.text)")
          if let id = answer["result"]?["generationId"]?.string { ids.insert(id) }
        }
        #expect(ids.count == 1, "round \(round)")
        let balance = try await services[0].call("credits/balance", ["account": .string(account)])
        #expect(balance["result"]?["available"] == 0 && balance["result"]?["held"] == 0, "\(balance.text)")
      }
      for service in services { #expect(try await service.finished() == .exited(0)) }
      try await scene.expectBalanced("after the race")
    }

    @Test("services that share a ledger write at least half of their share each, and none is told of a busy database")
    func fair() async throws {
      let scene = try await LedgerScene()
      let services = try (0..<4).map { _ in try scene.service() }
      for service in services {
        // Every message is to be an answer, and none to be late because it opens the database first.
        _ = try await service.call("initialize", ["capabilities": ["mute": ["credits/changed"]]])
        _ = try await service.call("credits/balance", ["account": "anna"])
      }
      let wanted = isProofRun ? 10_000 : 400
      let done = try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, service) in services.enumerated() {
          group.addTask { try await signIn(number, at: service, until: wanted) }
        }
        // Until the first has done so many; the others are counted at that moment.
        try await group.next()
        group.cancelAll()
        return services.map { $0.output.value.messages }
      }
      for service in services { try await service.killed() }
      let total = done.reduce(0) { $0 + $1.count }
      for messages in done {
        #expect(messages.count * 2 * services.count >= total, "\(done.map(\.count))")
        #expect(messages.allSatisfy { $0["error"] == nil }, "\(messages.first { $0["error"] != nil }?.text ?? "")")
      }
    }

    /// Lets a service write for one new identity after the other until it has done enough. A few at a time: what waits
    /// together is one turn at the disk, and turns are what is shared.
    private func signIn(_ number: Int, at service: ServiceChild, until wanted: Int) async throws {
      for identity in 0... {
        let name = "\(number)-\(identity)"
        service.ask(
          "account/signIn",
          ["account": .string(name), "identity": ["provider": "test", "subject": .string(name)]])
        let output = try await service.output.wait { $0.messages.count >= min(wanted, identity - 4) }
        if output.messages.count >= wanted { return }
      }
    }
  }
}
