import Foundation
import GRDB
import GeminiSimulator
import JSON
import Support
import Testing

/// Services of one data directory that make pictures by the simulator for accounts that pay with credits.
struct LedgerScene: Sendable {
  let cloud: CloudScene
  let data: String

  init() async throws {
    cloud = try await CloudScene()
    data = try cloud.scene.folder.makeFolder("data")
  }

  func service() throws -> ServiceChild { try cloud.service() }

  /// Runs `atelier` with these words as an operator does.
  @discardableResult
  func operate(_ words: String...) async throws -> JSONValue {
    let child = try ServiceChild(command: [ServiceExecutable.path] + words + ["--json", "--data-dir", data])
    let end = try await child.finished()
    #expect(end == .exited(0), "\(words): \(child.errorText)")
    return child.output.value.messages.last ?? .null
  }

  /// The params of a picture for an account.
  static func create(for account: String, _ prompt: String, _ members: JSONObject = [:]) -> JSONValue {
    var members = members
    members["account"] = .string(account)
    members["progress"] = false
    return CloudScene.create(prompt, members)
  }

  /// What must hold of the ledger whenever nobody is at work, by what the service says and by looking at the rows with
  /// no code of the service's.
  func expectBalanced(_ name: String) async throws {
    let audit = try ServiceChild(command: [ServiceExecutable.path, "credits", "audit", "--data-dir", data])
    let end = try await audit.finished()
    #expect(end == .exited(0), "\(name): \(audit.output.value.strayLines) \(audit.errorText)")
    for finding in try rowFindings() { Issue.record("\(name): \(finding)") }
  }

  private func rowFindings() throws -> [String] {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(10)
    return try DatabaseQueue(path: "\(data)/atelier.sqlite", configuration: configuration).read { database in
      let open = try Row.fetchAll(
        database,
        sql: """
          SELECT generation.* FROM generation JOIN hold ON generation_id = generation.id
          WHERE hold.id NOT IN (SELECT hold_id FROM hold_end)
          """)
      let charges = try Row.fetchAll(
        database,
        sql: """
          SELECT generation.id, state, captured, (
            SELECT count(*) FROM generation_file WHERE generation_id = generation.id AND role = 'image') AS images
          FROM generation JOIN hold ON hold.generation_id = generation.id LEFT JOIN hold_end ON hold_id = hold.id
          """
      ).filter { ($0["captured"] as Int? ?? -1) != $0["images"] as Int }
      let sums = try Row.fetchAll(
        database,
        sql: """
          SELECT account, available, held, (SELECT sum(amount) FROM credit_grant WHERE account = b.account) AS given, (
            SELECT coalesce(sum(captured), 0) FROM hold JOIN hold_end ON hold_id = id WHERE account = b.account) AS spent
          FROM account_balance AS b
          """
      ).filter { $0["held"] as Int != 0 || $0["available"] as Int + $0["spent"] as Int != $0["given"] as Int }
      return open.map { "its hold is open: \($0)" } + charges.map { "\($0)" } + sums.map { "\($0)" }
    }
  }
}
