import AtelierProtocol

/// Removals that could not be ended, because the bucket was away: nobody waits for them, but somebody wanted the pictures
/// to be gone.
extension Store {
  /// The pauses between tries, in which a bucket may come back.
  private static let (firstPause, longestPause) = (Duration.seconds(1), Duration.seconds(60))

  /// Tries again, after pauses that double, until all that was left is removed or this process ends. One at a time does that
  /// here; the sweeps of all processes find what a process leaves that ends before.
  func finishRemovalsLater() {
    guard let rest = files.rest, !isFinishingRemovals.exchange(true, ordering: .relaxed) else { return }
    Task(priority: .utility) { [weak self] in
      var pause = Self.firstPause
      repeat {
        do { try await rest(pause) } catch { break }
        pause = min(pause * 2, Self.longestPause)
      } while await self?.hasUnfinishedRemovals() == true
      self?.isFinishingRemovals.store(false, ordering: .relaxed)
    }
  }

  /// - Returns: whether there are some after another try; true also while that cannot be known.
  private func hasUnfinishedRemovals() async -> Bool {
    if gate.isClosed { return false }
    do {
      return try await files.finishRemovals() > 0
    } catch {
      return true
    }
  }

  /// How many pictures are still there that were to be removed; nil while it cannot be known.
  func unfinishedRemovals() async -> Int? { try? await files.unfinishedRemovals() }
}
