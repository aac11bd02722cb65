import AtelierProtocol
import Store

/// Opens the store at its first use, once, so that nothing waits for the database that does not need it.
///
/// A failed opening is told to whoever asked and tried again by the next one: the disk may have been mended.
public actor LazyStore {
  private let open: @Sendable (_ begun: @escaping @Sendable () -> Void) async throws -> Store
  private var opening: Opening?
  private var isRecovered = false

  private struct Opening {
    var store: Task<Store, any Error>
    /// Ends when the opening is under way on its thread, or has failed before.
    var begun: Task<Void, Never>
  }

  /// - Parameter open: calls `begun` when the opening is under way on a thread of its own.
  public init(open: @escaping @Sendable (_ begun: @escaping @Sendable () -> Void) async throws -> Store) {
    self.open = open
  }

  /// The open store.
  /// - Throws: `AtelierError`, without the paths that opening names to operators.
  public func store() async throws -> Store {
    try await (opening ?? startOpening()).store.value
  }

  /// Has the store opened in the background; returns when that is under way on its thread. What goes wrong is told to
  /// whoever wants the store.
  public func beginOpening() async {
    await (opening ?? startOpening()).begun.value
  }

  private func startOpening() -> Opening {
    let (beginning, signal) = AsyncStream<Never>.makeStream()
    let store = Task {
      // One that fails early may not have come to a thread.
      defer { signal.finish() }
      do {
        return try await open { signal.finish() }
      } catch {
        opening = nil
        throw AtelierError(wrapping: error)
      }
    }
    let started = Opening(store: store, begun: Task { for await _ in beginning {} })
    opening = started
    return started
  }

  /// The open store, and, the first time, what dead processes left behind, settled.
  /// - Throws: what opening or recovering threw.
  public func enter() async throws -> (Store, Recovery?) {
    let store = try await store()
    guard !isRecovered else { return (store, nil) }
    isRecovered = true
    do {
      return (store, try await store.settle())
    } catch {
      // The next use tries again.
      isRecovered = false
      throw error
    }
  }

  /// The store if it is open already.
  public func openedStore() async -> Store? {
    try? await opening?.store.value
  }

  /// Gives up the store: the next use opens it anew.
  public func close() async {
    let store = await openedStore()
    opening = nil
    isRecovered = false
    await store?.close()
  }
}
