import AtelierProtocol
import Store

/// What is to be done now and then, in a service that may run for months.
extension SessionManager {
  /// The longest time between two looks.
  static let housekeepingMs: Int64 = 10 * 60_000

  /// Begins to erase what is kept for a time only when that is over, by the clock that was passed in (REQUIREMENTS
  /// 7.2), and to keep history within its caps.
  ///
  /// Between two looks nothing holds this manager: one that is let go of ends it.
  func keepHouse() {
    guard housekeeping == nil, !isDraining else { return }
    housekeeping = Task(priority: .utility) { [weak self, surroundings] in
      while let pause = await self?.untilNextLook() {
        do { try await surroundings.sleep(.milliseconds(pause)) } catch { return }
        await self?.tidy()
      }
    }
  }

  private func untilNextLook() async -> Int64? {
    guard !isDraining, let store = try? await door.store() else { return nil }
    guard let expiry = try? await store.nextExpiry() else { return Self.housekeepingMs }
    return min(max(expiry.milliseconds - surroundings.now().milliseconds, 1), Self.housekeepingMs)
  }

  private func tidy() async {
    guard !isDraining, let store = try? await door.store() else { return }
    // What could not be done now, as on a full disk, is tried again at the next look.
    try? await store.tidy(keeping: configuration.historyCaps)
  }

  /// Prepares searches in the background.
  func indexHistory() {
    guard indexing == nil, !isDraining else { return }
    indexing = Task(priority: .utility) { [door] in
      while !Task.isCancelled, let store = try? await door.store(), (try? await store.indexForSearch()) == true {}
      self.indexing = nil
    }
  }
}
