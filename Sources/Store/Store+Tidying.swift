import AtelierProtocol

extension Store {
  /// What is to be done now and then while a service runs: prepared images whose time is over are erased, history keeps
  /// to `caps`, searches are prepared for, and the write-ahead log is emptied where something deleted may be in it.
  public func tidy(keeping caps: HistoryCaps = HistoryCaps()) async throws(AtelierError) {
    try await keepTime()
    if try await eraseExpiredPrepared() > 0 { owesLog.store(true, ordering: .relaxed) }
    if !caps.isUnbounded { try await enforce(caps) }
    while try await indexForSearch() {}
    if owesLog.load(ordering: .relaxed) { await forgetLog() }
  }
}
