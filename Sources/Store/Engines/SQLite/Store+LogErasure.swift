import GRDB

extension Store {
  /// Empties the write-ahead log, in which deleted data can still be read. If a reader in another process prevents
  /// this, ``tidy()`` tries again later.
  func forgetLog() async {
    let isEmpty = try? await engine.withWriter { [busyPolicy = engine.busyPolicy] database in
      // Transfer most of the log while others may write; little is left for the truncation, which blocks writers.
      _ = try? database.checkpoint(.passive)
      return try busyPolicy.waitingBriefly { try database.checkpoint(.truncate).walFrameCount == 0 }
    }
    owesLog.store(isEmpty != true, ordering: .relaxed)
  }
}
