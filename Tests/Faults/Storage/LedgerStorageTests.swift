import AtelierProtocol
import Foundation
import Store
import Support
import Testing

extension Faults {
  /// The disk or the system fails while credits move. Whoever asked is told, and what was told to be done is done: the
  /// ledger is never wrong, and goes on when there is room again.
  @Suite("Credits on failing storage")
  struct LedgerStorageTests {
    private let home: TemporaryDirectory
    private let data: String

    init() throws {
      home = try TemporaryDirectory()
      data = "\(home.path)/data"
    }

    private func open(_ path: String) async throws -> Store {
      let identifiers = SharedState(0)
      return try await Store.open(
        directory: DataDirectory(path: path),
        surroundings: StoreSurroundings(
          now: { Timestamp(milliseconds: 1_800_000_000_000) },
          makeIdentifier: { prefix in
            identifiers.change { $0 += 1 }
            return "\(prefix)\(identifiers.value)"
          },
          random: { UInt64.random(in: .min ... .max) }))
    }

    @Test(
      "a full disk refuses gifts, loses none, and gives on once there is room",
      .enabled(if: SmallDisk.isPermitted, "only root may mount"), arguments: [700, 900, 1_100, 1_500])
    func fullDisk(kibibytes: Int) async throws {
      let disk = try SmallDisk(bytes: kibibytes << 10)
      let store = try await open("\(disk.path)/data")
      let reason = String(repeating: "because ", count: 60)
      var given = 0
      var refusal: AtelierError?
      while refusal == nil, given < 2_000 {
        do throws(AtelierError) {
          _ = try await store.grantCredits(1, to: "anna", because: reason, source: "gift \(given)")
          given += 1
        } catch {
          refusal = error
        }
      }
      #expect(refusal?.kind == .storageFull, "\(refusal?.message ?? "never full")")
      for fault in Sentence.faults(in: refusal?.message ?? "", secrets: [disk.path]) { Issue.record("\(fault)") }
      disk.resize(bytes: 32 << 20)
      // The one that was refused was not given: its name is free.
      let next = try await store.grantCredits(1, to: "anna", because: reason, source: "gift \(given)")
      #expect(next.isNew && next.balance.available == given + 2)
      #expect(try await store.auditLedger() == [])
      #expect(try await store.check().findings == [])
      await store.close()
    }

    @Test(
      "a read-only disk is named, and everything is there once it is not",
      .enabled(if: SmallDisk.isPermitted, "only root may mount"))
    func readOnly() async throws {
      let disk = try SmallDisk(bytes: 8 << 20)
      let grant = [
        "credits", "grant", "--account", "anna", "--amount", "5", "--reason", "a gift", "--data-dir", disk.path,
      ]
      #expect(try await CommandRun(grant, in: home).status == 0)
      disk.makeReadOnly(true)
      for command in [grant, ["credits", "audit", "--data-dir", disk.path], ["backup", "x", "--data-dir", disk.path]] {
        let refused = try await CommandRun(command, in: home)
        #expect(refused.status == 3 && refused.output.isEmpty, "\(refused)")
        #expect(refused.errors.contains(disk.path) && refused.errors.contains("read-only"), "\(refused)")
      }
      disk.makeReadOnly(false)
      let given = try await CommandRun(grant, in: home)
      #expect(given.output.contains("anna has 11 credits"), "\(given)")
    }

    @Test("a process that may open too few files says so, and counts no gift it did not give", arguments: [
      4, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 24,
    ])
    func fewFiles(limit: Int) async throws {
      // With hardly any, the language's runtime ends the process before it can say anything: a crash like any other.
      try await expectTruth(after: "ulimit -n \(limit)", mayBeKilled: limit < 12)
    }

    @Test("a process whose files may not grow says so, and counts no gift it did not give", arguments: [
      1, 8, 32, 64, 128, 256, 300, 400, 500, 1_000,
    ])
    func smallFiles(blocks: Int) async throws {
      try await expectTruth(after: "trap '' XFSZ; ulimit -f \(blocks)")
    }

    /// Gives before, during and after: what the command said is what the ledger says.
    private func expectTruth(after preparation: String, mayBeKilled: Bool = false) async throws {
      func grant(_ key: String, after preparation: String = ":") async throws -> CommandRun {
        try await CommandRun(
          [
            "credits", "grant", "--account", "anna", "--amount", "1", "--reason", "a gift", "--key", key,
            "--data-dir", data,
          ], in: home, after: preparation)
      }
      #expect(try await grant("first").status == 0)
      let limited = try await grant("limited", after: preparation)
      if limited.isKilled {
        #expect(mayBeKilled, "\(preparation): \(limited)")
      } else if limited.status != 0 {
        #expect([1, 3].contains(limited.status), "\(preparation): \(limited)")
        let sentence = String(limited.errors.split(separator: "\n").last ?? "")
        #expect(sentence.hasPrefix("atelier: ") && sentence.hasSuffix("."), "\(preparation): \(limited)")
      }
      let repeated = try await grant("limited")
      #expect(repeated.status == 0, "\(preparation): \(repeated)")
      let wasGiven = repeated.output.contains("before, and nothing now")
      #expect(limited.isKilled || wasGiven == (limited.status == 0), "\(preparation): \(repeated)")
      #expect(repeated.output.contains("anna has 3 credits"), "\(preparation): \(repeated)")
      let audit = try await CommandRun(["credits", "audit", "--data-dir", data], in: home)
      #expect(audit.status == 0, "\(preparation): \(audit)")
    }
  }
}
