import Foundation
import GRDB
import JSON
import Support
import Testing

extension Faults {
  /// Two services, two hundred generations that wait, and `kill -9` at any moment: while they are accepted, while they
  /// wait, while they are claimed and worked on. At each kill a bystander is there.
  @Suite("Killed services with a queue")
  struct QueueKillTests {
    static let seeds: Range<UInt64> = isProofRun ? 0..<5 : 0..<1
    private let accounts = ["anna", "bert", "cleo"]
    private let total = 200

    @Test(
      "a killed service with a queue does each generation once and charges it once, or gives everything back",
      arguments: seeds)
    func kill(seed: UInt64) async throws {
      var random = SplitMix64(seed: seed)
      let scene = try await QueueScene(places: 6)
      for account in accounts { try await give(account, scene) }
      var hosts = [try scene.service(), try scene.service()]
      var accepted: Set<Int> = []
      // Nobody answers: what is accepted waits, whatever happens to those who accept.
      while accepted.count < total {
        for number in 0..<total where !accepted.contains(number) { ask(number, of: hosts[number % 2]) }
        try await killOne(&hosts, scene, after: Int.random(in: 40...300, using: &random), using: &random) {
          accepted.formUnion($0)
        }
      }
      #expect(try scene.states().count == total, "seed \(seed)")
      try await scene.switchOn()
      var rounds = 0
      while try scene.states().values.contains(where: { $0 == "queued" || $0 == "running" }) {
        rounds += 1
        try await killOne(&hosts, scene, after: Int.random(in: 5...60, using: &random), using: &random) { _ in }
      }
      for host in hosts { #expect(try await host.finished() == .exited(0), "seed \(seed): \(host.errorText)") }
      try await expectOnce(scene, "seed \(seed), \(rounds) kills")
      await scene.switchOff()
    }

    private func give(_ account: String, _ scene: QueueScene) async throws {
      for words in [
        ["account", "set", account, "--tier", "free", "--unlimited"],
        ["credits", "grant", "--account", account, "--amount", "1000", "--reason", "a long queue"],
      ] {
        let child = try ServiceChild(command: [ServiceExecutable.path] + words + ["--data-dir", scene.data])
        #expect(try await child.finished() == .exited(0), "\(words): \(child.errorText)")
      }
    }

    private func ask(_ number: Int, of host: ServiceChild) {
      let account = accounts[number % accounts.count]
      host.ask(
        "generate",
        QueueScene.patient(
          "lighthouse #\(number); [[latency:\(number % 5 * 20)]]",
          [
            "account": .string(account), "idempotencyKey": .string("key-\(number)"), "detach": true,
            "metadata": ["number": .number(JSONNumber(number))],
          ]))
    }

    /// Lets the services work until one of them has written so much, or for a second; kills that one, and starts another.
    private func killOne(
      _ hosts: inout [ServiceChild], _ scene: QueueScene, after messages: Int, using random: inout SplitMix64,
      accepted: (Set<Int>) -> Void
    ) async throws {
      let victim = Int(random.next() % 2)
      let host = hosts[victim]
      let before = host.output.value.messages.count
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          _ = try? await host.output.wait { $0.isAtEnd || $0.messages.count >= before + messages }
        }
        group.addTask { try? await Task.sleep(for: .seconds(1)) }
        await group.next()
        group.cancelAll()
      }
      let bystander = try #require(Bystander.allCases.randomElement(using: &random))
      async let visit: Void = bystander.visit(scene.data, "\(bystander)")
      // The kill is to fall between messages too.
      try await Task.sleep(for: .microseconds(Int.random(in: 0...20_000, using: &random)))
      try await host.killed()
      try await visit
      accepted(try numbers(scene))
      hosts[victim] = try scene.service()
      // Whoever uses the data directory takes over what the dead one left.
      _ = try await hosts[victim].call("queue/status")
    }

    /// The numbers that were accepted.
    private func numbers(_ scene: QueueScene) throws -> Set<Int> {
      try Set(
        read(scene) { try Int.fetchAll($0, sql: "SELECT json_extract(metadata, '$.number') FROM generation") })
    }

    private func expectOnce(_ scene: QueueScene, _ name: String) async throws {
      var asked: [Int: Int] = [:]
      for prompt in scene.prompts {
        guard let number = prompt.split(separator: "lighthouse #").last?.prefix(while: \.isNumber), let key = Int(number)
        else { continue }
        asked[key, default: 0] += 1
      }
      let rows = try read(scene) {
        try Row.fetchAll(
          $0,
          sql: """
            SELECT json_extract(metadata, '$.number') AS number, state, credits_charged AS charged, (
              SELECT count(*) FROM generation_file WHERE generation_id = id AND role = 'image') AS images FROM generation
            """)
      }
      #expect(rows.count == total, "\(name)")
      var ends: [String: Int] = [:]
      for row in rows {
        let (number, state): (Int, String) = (row["number"], row["state"])
        ends[state, default: 0] += 1
        let times = asked[number] ?? 0
        #expect(row["charged"] as Int == row["images"] as Int, "\(name): number \(number) is \(state)")
        switch state {
        case "succeeded": #expect(times == 1 && row["charged"] as Int == 1, "\(name): number \(number), asked \(times)")
        case "interrupted": #expect(times <= 1 && row["charged"] as Int == 0, "\(name): number \(number), asked \(times)")
        // The provider was switched off in the middle of it.
        case "failed" where isProofRun: #expect(times == 1 && row["charged"] as Int == 0, "\(name): number \(number)")
        default: Issue.record("\(name): number \(number) is \(state)")
        }
      }
      #expect(ends["succeeded", default: 0] > 0, "\(name): \(ends)")
      print("\(name): \(ends)")
      for finding in try DataDirectoryAudit(path: scene.data).findings(processes: 0) { Issue.record("\(name): \(finding)") }
      let held = try read(scene) { try Int.fetchOne($0, sql: "SELECT sum(held) FROM account_balance") }
      #expect(held == 0, "\(name)")
      let audit = try ServiceChild(command: [ServiceExecutable.path, "credits", "audit", "--data-dir", scene.data])
      #expect(try await audit.finished() == .exited(0), "\(name): \(audit.output.value.strayLines) \(audit.errorText)")
    }

    private func read<Value>(_ scene: QueueScene, _ work: (Database) throws -> Value) throws -> Value {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(10)
      return try DatabaseQueue(path: "\(scene.data)/atelier.sqlite", configuration: configuration).read(work)
    }
  }
}
