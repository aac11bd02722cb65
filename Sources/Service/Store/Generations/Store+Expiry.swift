import AtelierProtocol

extension Store {
  /// Expires the generations of any process that have waited too long, and releases their holds.
  /// - Returns: the rows of the generations that expired now.
  @discardableResult
  public func expireWaiting() async throws(AtelierError) -> [GenerationRow] {
    // Without one that is due, the write lock is not needed.
    let isDue = try await read { [self] session in
      try mayExpire(in: session) && session.queue.isAnyDue(at: surroundings.now())
    }
    guard isDue else { return [] }
    return try await write { [self] session in
      guard try mayExpire(in: session) else { return [] }
      let ended = try session.queue.due(at: surroundings.now()).filter { id in
        guard let life = try session.generations.life(of: id), let state = life.generation.state(after: .deadlinePassed)
        else { return false }
        try finish(id, of: life.process, as: state, because: nil, in: session)
        return true
      }
      return try generations(ended, in: session)
    }
  }
}
