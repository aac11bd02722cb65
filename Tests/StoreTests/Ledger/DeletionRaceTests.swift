import AtelierProtocol
import Testing

@testable import Store

@Suite("Requests that arrive while their account is deleted", .timeLimit(.minutes(3)))
struct DeletionRaceTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  /// The tables in which a row names an account, except for those whose rows follow the account by themselves.
  private static let columns = SchemaTable.all.flatMap { table in
    table.columns.filter { $0 == "account" || table.name == "account" && $0 == "id" }.map { (table.name, $0) }
  }

  @Test(
    "a request is either part of an account that is not deleted, or of one that begins anew, and is charged there",
    arguments: 0..<12)
  func race(round: Int) async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    _ = try await store.grantCredits(40, to: "anna", because: "card", source: "pi")
    let metering = Metering(credits: 1, limits: [])
    let accepted = try await withThrowingTaskGroup(of: [GenerationID].self) { group in
      group.addTask {
        for _ in 0..<4 {
          _ = try await other.deleteAccount("anna")
          await Task.yield()
        }
        return []
      }
      for number in 0..<3 {
        group.addTask { [fixture] in
          var ids: [GenerationID] = []
          for turn in 0..<4 {
            let acceptance = fixture.acceptance("anna", key: "\(number) \(turn)", metering: metering)
            do throws(AtelierError) {
              ids.append(try await store.accept(acceptance).row.id)
              // Every other one ends at once, so that a deletion can get through.
              if (turn + round) % 2 == 0 { _ = try await store.cancel(acceptance.id, account: nil) }
            } catch {
              guard error.kind == .insufficientCredits else { throw error }
            }
          }
          return ids
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(try await store.auditLedger() == [])
    var open = 0
    for id in accepted {
      guard let row = try await store.generation(id, account: nil), !row.state.isFinal else { continue }
      open += 1
      _ = try await store.start(id)
      try await store.succeed(id, with: [UInt8(open)], credits: 1)
      #expect(try await store.generation(id, account: "anna")?.credits?.charged == 1)
    }
    if open > 0 { #expect(try await store.isKnown("anna")) }
    #expect(try await store.auditLedger() == [])
    _ = try await store.deleteAccount("anna")
    for (table, column) in Self.columns {
      let query = "SELECT count(*) FROM \(table) WHERE \(column) = 'anna'"
      let left = try await store.read { try $0.value(query, as: Int.self) }
      #expect(left == 0, "\(table).\(column)")
    }
    #expect(try await store.auditLedger() == [])
    await other.close()
    await store.close()
  }
}
