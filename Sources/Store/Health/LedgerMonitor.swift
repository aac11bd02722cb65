import GRDB
import Synchronization

/// Audits the ledger beside whatever else is done, and remembers what was found.
final class LedgerMonitor: Sendable {
  private let look: SnapshotReader
  private let log: StoreSurroundings.Log
  private let state = Mutex(State())

  private struct State {
    var isSound = true
    /// The audit after an unclean stop.
    var audit: Task<Void, Never>?
  }

  init(look: SnapshotReader, log: @escaping StoreSurroundings.Log) {
    self.look = look
    self.log = log
  }

  /// False when the last audit found something.
  var isSound: Bool { state.withLock { $0.isSound } }

  /// - Returns: a sentence for each thing that is wrong.
  func audit() async throws -> [String] {
    do {
      // One statement, so it sees one moment.
      let findings = try await look.run { try LedgerAudit.findings(in: $0) }
      state.withLock { $0.isSound = findings.isEmpty }
      return findings.map { "\($0.subject): \($0.what)." }
    } catch let error as DatabaseError where error.isDamage {
      state.withLock { $0.isSound = false }
      throw error
    }
  }

  /// Audits after an unclean stop, and tells the log what came of it. Nobody waits.
  func auditInBackground() {
    state.withLock { state in
      let before = state.audit
      state.audit = Task.detached(priority: .utility) { [self] in
        await before?.value
        await auditAndTell()
      }
    }
  }

  /// Returns when no audit goes on in the background.
  func settled() async { await state.withLock { $0.audit }?.value }

  private func auditAndTell() async {
    do {
      let findings = try await audit()
      guard let first = findings.first else {
        return log(false, "The ledger of credits is whole after the unclean stop of another process.")
      }
      log(
        true,
        "The ledger of credits is not whole: \(first) There are \(findings.count) findings. Run `atelier credits audit` "
          + "to see all, and `atelier doctor` for what to do.")
    } catch {
      // A store that closes breaks the audit off: the next process to find an unclean stop begins anew.
      if look.isFinished { return }
      let reason = (error as? DatabaseError)?.message ?? (error as? StoreError)?.sentence ?? "\(error)"
      log(true, "The ledger of credits could not be looked through (\(reason)). Run `atelier doctor` to see what to do.")
    }
  }
}

extension DatabaseError {
  /// Whether the file is not what SQLite wrote.
  var isDamage: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }
}
