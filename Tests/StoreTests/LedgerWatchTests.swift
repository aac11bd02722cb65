import AtelierProtocol
import Synchronization
import Testing

@testable import Store

@Suite("The ledger after an unclean stop", .timeLimit(.minutes(5)))
struct LedgerWatchTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ isFault: Bool, _ line: String) { lines.withLock { $0.append("\(isFault ? "fault" : "note"): \(line)") } }
  }

  private func open(_ lines: Lines) async throws -> Store {
    var surroundings = fixture.surroundings
    surroundings.log = { lines.add($0, $1) }
    return try await fixture.open(with: surroundings)
  }

  /// Fills a ledger, damages it if asked to, and dies.
  private func die(damaging: Bool) async throws {
    try await fixture.dying { store in
      try await LedgerScene.fill(store, of: fixture)
      guard damaging else { return }
      try await store.change("UPDATE account_balance SET available = available + 1 WHERE account = 'bert0'")
    }
  }

  @Test("the ledger is audited after an unclean stop, and the log says that it is intact")
  func whole() async throws {
    try await die(damaging: false)
    let lines = Lines()
    let store = try await open(lines)
    #expect(try await !store.recoverAndSweep().interrupted.isEmpty)
    await store.ledgerMonitor.auditEnded()
    #expect(lines.all == ["note: The ledger of credits is intact after another process stopped uncleanly."])
    #expect(await store.status().isHealthy)
  }

  @Test("a damaged ledger is reported in one line of the log, by status and by a check")
  func broken() async throws {
    try await die(damaging: true)
    let lines = Lines()
    let store = try await open(lines)
    _ = try await store.recoverAndSweep()
    await store.ledgerMonitor.auditEnded()
    try #require(lines.all.count == 1)
    #expect(lines.all[0].hasPrefix("fault: The ledger of credits is damaged: bert0: balance of the account"))
    #expect(await !store.status().isHealthy)
    let findings = try await store.check().findings
    #expect(!findings.isEmpty && findings.allSatisfy { $0.kind == .brokenLedger })
    #expect(findings.allSatisfy { $0.sentence.contains("put a backup in its place") })
  }

  @Test("the ledger is not looked through when everybody left in order")
  func clean() async throws {
    let first = try await fixture.open()
    try await LedgerScene.fill(first, of: fixture)
    await first.close()
    let lines = Lines()
    let store = try await open(lines)
    _ = try await store.recoverAndSweep()
    await store.ledgerMonitor.auditEnded()
    #expect(lines.all.isEmpty)
  }

  @Test("the ledger is healthy again for status once an audit finds nothing more")
  func mended() async throws {
    let store = try await fixture.open()
    try await LedgerScene.fill(store, of: fixture)
    for change in ["+ 1", "- 1"] {
      try await store.change("UPDATE account_balance SET available = available \(change) WHERE account = 'bert0'")
      #expect(try await store.auditLedger().isEmpty == (change == "- 1"))
      #expect(await store.status().isHealthy == (change == "- 1"))
    }
  }

  @Test("a check tells the first findings one by one, and counts the rest")
  func many() async throws {
    let store = try await fixture.open()
    try await LedgerScene.fill(store, of: fixture, households: 4)
    try await store.change("UPDATE grant_balance SET held = held + 1")
    let count = try await store.auditLedger().count
    let findings = try await store.check().findings
    #expect(count > 21 && findings.count == 21)
    #expect(findings.last?.sentence.contains("\(count - 20) more findings") == true, "\(findings.last?.sentence ?? "")")
  }
}
