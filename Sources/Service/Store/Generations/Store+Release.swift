import AtelierProtocol

extension Store {
  /// Releases generations of this process for which nothing was sent: any process may start them, now or later.
  /// - Returns: the generations that are in the queue now; the others have ended, or only this process could run them.
  public func release(_ ids: Set<GenerationID>) async throws(AtelierError) -> Set<GenerationID> {
    if ids.isEmpty { return [] }
    return try await write { [self] session in
      try ids.filter { id in
        guard let state = try stateAfter(.returnedToQueue, of: id, in: session),
          try session.generations.release(id, as: state)
        else { return false }
        try session.queue.add(id)
        return true
      }
    }
  }
}
