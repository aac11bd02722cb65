import AtelierProtocol
import GRDB
import Glibc
import Support
import Testing

@testable import Store

@Suite("Pages of a database that are not what was written", .onlySQLite)
struct PageDamageTests {
  /// The database of a ledger with contents, made once: every run damages a copy.
  private actor Original {
    static let shared = Original()
    private var made: (bytes: [UInt8], ledger: [String: [[DatabaseValue]]])?

    func value() async throws -> (bytes: [UInt8], ledger: [String: [[DatabaseValue]]]) {
      if let made { return made }
      let fixture = try StoreFixture()
      let store = try await fixture.open()
      try await LedgerScene.fill(store, of: fixture, households: 4)
      await store.close()
      let value = (
        try contents(of: fixture.directory.database), try LedgerContents.read(fixture.directory.database)
      )
      made = value
      return value
    }
  }

  @Test(
    "damaged pages are found when the store is opened or checked, or hurt nothing; the copy has everything",
    arguments: 0..<48 as Range<UInt64>)
  func randomPages(seed: UInt64) async throws {
    let original = try await Original.shared.value()
    let fixture = try StoreFixture(seed: seed)
    await (try await fixture.open()).close()
    let path = fixture.directory.database
    var random = SplitMix64(seed: seed)
    try write(Self.damaged(original.bytes, random: &random), to: path)
    let finding = await Self.finding(in: fixture)
    if let finding {
      #expect(finding.hasSuffix(".") || finding.contains(".recover"), "seed \(seed): \(finding)")
    } else {
      #expect(try LedgerContents.read(path) == original.ledger, "seed \(seed): damage to the ledger was not found")
    }
    for part in ["\(path)-wal", "\(path)-shm"] { unlink(part) }
    try write(original.bytes, to: path)
    let restored = try await fixture.open()
    #expect(try await restored.auditLedger() == [], "seed \(seed)")
    #expect(try LedgerContents.read(path) == original.ledger, "seed \(seed)")
    await restored.close()
  }

  /// - Returns: what an operator is told; nil when nothing is found.
  private static func finding(in fixture: StoreFixture) async -> String? {
    do throws(StoreError) {
      let store = try await Store.open(directory: fixture.directory, surroundings: fixture.surroundings)
      let report = try? await store.check()
      await store.close()
      // The picture files of the original are not there.
      guard let report else { return "The data directory cannot be looked at." }
      return report.findings.first { $0.kind != .missingFile }?.sentence
    } catch {
      return error.sentence
    }
  }

  /// Some random bytes in one to three random pages; the first hundred bytes, which say what the file is, stay.
  private static func damaged(_ bytes: [UInt8], random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    let size = 4_096
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let page = Int.random(in: 0..<bytes.count / size, using: &random) * size
      let from = Int.random(in: (page == 0 ? 100 : 0)..<size, using: &random)
      for offset in from..<min(size, from + Int.random(in: 1...64, using: &random)) {
        bytes[page + offset] = UInt8.random(in: .min ... .max, using: &random)
      }
    }
    return bytes
  }
}
