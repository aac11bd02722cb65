import Synchronization

/// Audits the ledger in parallel with all other work, and remembers the result.
final class LedgerMonitor: Sendable {
  private let engine: any StoreEngine
  private let log: StoreSurroundings.Log
  private let state = Mutex(State())

  private struct State {
    var isSound = true
    /// The audit after an unclean stop.
    var audit: Task<Void, Never>?
  }

  init(engine: any StoreEngine, log: @escaping StoreSurroundings.Log) {
    self.engine = engine
    self.log = log
  }

  /// False when the last audit found a problem.
  var isSound: Bool { state.withLock { $0.isSound } }

  /// - Returns: one sentence per problem.
  func audit() async throws -> [String] {
    do {
      // A single statement sees one snapshot.
      let findings = try await engine.readWhole { try LedgerAudit.findings(in: $0) }
      state.withLock { $0.isSound = findings.isEmpty }
      return findings.map { "\($0.subject): \($0.what)." }
    } catch where engine.fault(error)?.isDamage == true {
      state.withLock { $0.isSound = false }
      throw error
    }
  }

  /// Audits in the background after an unclean stop, and logs the result. No caller waits for it.
  func auditInBackground() {
    state.withLock { state in
      let before = state.audit
      state.audit = Task.detached { [self] in
        await before?.value
        await auditAndTell()
      }
    }
  }

  /// Returns when no background audit is running.
  func auditEnded() async { await state.withLock { $0.audit }?.value }

  private func auditAndTell() async {
    do {
      let findings = try await audit()
      guard let first = findings.first else {
        return log(false, "The ledger of credits is intact after another process stopped uncleanly.")
      }
      log(
        true,
        "The ledger of credits is damaged: \(first) There are \(findings.count) findings. Run `atelier credits audit` "
          + "to see all, and `atelier doctor` for what to do.")
    } catch {
      // A closing store interrupts the audit: the next process that finds an unclean stop starts again.
      if engine.hasFinishedWholeReads { return }
      let reason = engine.fault(error)?.message ?? (error as? StoreError)?.sentence ?? "\(error)"
      log(true, "The ledger of credits could not be audited (\(reason)). Run `atelier doctor` to see what to do.")
    }
  }
}
