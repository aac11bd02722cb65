import JSON
import Support
import Testing

extension Faults {
  /// `kill -9` at any moment while credits are held, charged and given back.
  @Suite("Killed services that charge")
  struct LedgerKillTests {
    /// A series for each seed; rounds of a series share a data directory.
    static let seeds: Range<UInt64> = isProofRun ? 0..<20 : 0..<1

    @Test(
      "a killed service leaves no hold open, no charge without its images, no images without their charge", arguments: seeds)
    func kill(seed: UInt64) async throws {
      var random = SplitMix64(seed: seed)
      let scene = try await LedgerScene()
      let accounts = ["anna", "bert", "cleo"]
      for account in accounts {
        try await scene.operate("account", "set", account, "--tier", "free", "--unlimited")
        try await scene.operate(
          "credits", "grant", "--account", account, "--amount", "100000", "--reason", "a long series")
      }
      var answers = 0
      for round in 0..<(isProofRun ? 25 : 15) {
        let hosts = try (0..<2).map { _ in try scene.service() }
        for host in hosts { ask(host, accounts, round: round, using: &random) }
        for host in hosts {
          let messages = Int.random(in: 0...48, using: &random)
          let pause = Int.random(in: 0...20_000, using: &random)
          try await host.output.wait { $0.isAtEnd || $0.messages.count >= messages }
          // The kill is to fall between messages too.
          try await Task.sleep(for: .microseconds(pause))
          try await host.killed()
        }
        answers += try await expectKept(hosts, scene, "seed \(seed), round \(round)")
      }
      print("seed \(seed): \(answers) answers kept")
    }

    /// Sixteen requests: single pictures and several, slow and failing ones, cancels of some.
    private func ask(_ host: ServiceChild, _ accounts: [String], round: Int, using random: inout SplitMix64) {
      for number in 0..<16 {
        let key = "\(host.processID)-\(round)-\(number)"
        let account = accounts.randomElement(using: &random) ?? ""
        let manner = ["", "[[latency:5]]", "[[latency:30]]", "[[fault:no-image]]", "[[fault:reset]]"]
          .randomElement(using: &random) ?? ""
        host.ask(
          "generate",
          LedgerScene.create(
            for: account, "a lighthouse \(manner)",
            [
              "output": ["count": .number(JSONNumber(Int.random(in: 1...3, using: &random)))],
              "idempotencyKey": .string(key), "detach": .bool(random.next() % 4 == 0),
            ]))
        if random.next() % 4 == 0 {
          host.ask("cancel", ["idempotencyKey": .string(key), "account": .string(account)])
        }
      }
    }

    /// Lets a new service find what was left, and holds against it what the hosts were told.
    /// - Returns: how many answers were looked at.
    private func expectKept(_ hosts: [ServiceChild], _ scene: LedgerScene, _ name: String) async throws -> Int {
      let next = try scene.service()
      var count = 0
      for host in hosts {
        let ends = ["succeeded", "partial", "cancelled"]
        for result in host.output.value.messages.compactMap({ $0["result"] })
        where ends.contains(result["state"]?.string ?? "") {
          count += 1
          guard let id = result["generationId"] else { continue }
          let now = try await next.call("status", ["generationId": id])
          #expect(now["result"]?["state"] == result["state"], "\(name): \(now.text)")
          #expect(now["result"]?["credits"] == result["credits"], "\(name): \(now.text)")
          #expect(
            result["credits"]?["charged"]?.int64 == Int64(result["images"]?.array?.count ?? 0), "\(name): \(result.text)")
        }
      }
      // What was detached and not sent is done by a process that serves for long enough; one that leaves leaves it.
      for state in ["queued", "running"] {
        var open = 1
        while open > 0 {
          let history = try await next.call("history", ["account": "*", "state": .string(state), "limit": 1])
          open = try #require(history["result"]?["entries"]?.array).count
        }
      }
      #expect(try await next.finished() == .exited(0), "\(name)")
      let audit = DataDirectoryAudit(path: scene.data)
      for finding in try audit.findings(processes: 0) { Issue.record("\(name): \(finding)") }
      try await scene.expectBalanced(name)
      return count
    }
  }
}
