import AtelierProtocol
import Store

/// Opens the store at its first use, once, so that nothing waits for the database that does not need it.
///
/// A failed opening is told to whoever asked and tried again by the next one: the disk may have been mended.
public actor StoreDoor {
  private let open: @Sendable () async throws -> Store
  private var opening: Task<Store, any Error>?
  private var isRecovered = false

  public init(open: @escaping @Sendable () async throws -> Store) {
    self.open = open
  }

  /// The open store.
  /// - Throws: `AtelierError`, without the paths that opening names to operators.
  public func store() async throws -> Store {
    if let opening { return try await opening.value }
    let task = Task { [open] in
      do {
        return try await open()
      } catch {
        throw AtelierError(wrapping: error)
      }
    }
    opening = task
    do {
      return try await task.value
    } catch {
      opening = nil
      throw error
    }
  }

  /// The open store, and, the first time, what dead processes left behind, settled.
  /// - Throws: what opening or recovering threw.
  public func enter() async throws -> (Store, Recovery?) {
    let store = try await store()
    guard !isRecovered else { return (store, nil) }
    isRecovered = true
    do {
      try await store.eraseExpiredPrepared()
      return (store, try await store.recover())
    } catch {
      // The next use tries again.
      isRecovered = false
      throw error
    }
  }

  /// The store if it is open already.
  public func openedStore() async -> Store? {
    try? await opening?.value
  }

  /// Gives up the store: the next use opens it anew.
  public func close() async {
    let store = await openedStore()
    opening = nil
    isRecovered = false
    await store?.close()
  }
}
