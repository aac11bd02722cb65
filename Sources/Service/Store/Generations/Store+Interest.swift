import AtelierProtocol

/// Which processes have clients that want a generation of any process. The processes of one data directory learn here of
/// one another's clients, so that a client which gives up ends only what nobody else wants.
extension Store {
  /// Notes that a client of this process wants a generation, until ``cancelUnlessWanted(_:)`` or the generation's end.
  /// Repeated calls have no effect, nor has one for a generation that has ended.
  public func noteInterest(in id: GenerationID) async throws(AtelierError) {
    if try await read({ [process] in try $0.watches.isInterested(process, in: id) }) { return }
    // After a power failure the process is dead, and its interest counts no more.
    try await write(isDurable: false, to: [id], reading: { [] }) { [process] in
      try $0.watches.noteInterest(of: process, in: id)
    }
  }

  /// Withdraws this process's interest, and cancels the generation unless a client of another living process wants it.
  /// - Returns: nil when it goes on.
  public func cancelUnlessWanted(_ id: GenerationID) async throws(AtelierError) -> CancelOutcome? {
    let interested = try await read { [process] in try $0.watches.interested(in: id, besides: process) }
    var dead: Set<ProcessID> = []
    for other in interested where await isGone(other) { dead.insert(other) }
    return try await write { [self, dead] session in
      try session.watches.withdrawInterest(of: process, in: id)
      // One that has noted its interest since the look lives.
      guard try session.watches.interested(in: id, besides: process).allSatisfy(dead.contains) else { return nil }
      return try cancel(id, account: nil, in: session)
    }
  }
}
