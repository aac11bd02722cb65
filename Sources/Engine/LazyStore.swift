import AtelierProtocol
import Store

/// Opens the store once, at its first use, so that only work that needs the database waits for it.
///
/// A failed opening is reported to its caller and retried by the next one: the disk may have been repaired.
public actor LazyStore {
  private let open: @Sendable (_ begun: @escaping @Sendable () -> Void) async throws -> Store
  private var opening: Opening?
  private var isRecovered = false

  private struct Opening {
    var store: Task<Store, any Error>
    /// Ends when the opening is under way on its thread, or has failed earlier.
    var begun: Task<Void, Never>
  }

  /// - Parameter open: calls `begun` when the opening is under way on its own thread.
  public init(open: @escaping @Sendable (_ begun: @escaping @Sendable () -> Void) async throws -> Store) {
    self.open = open
  }

  /// The open store.
  /// - Throws: `AtelierError`, without the paths that the original error names for operators.
  public func store() async throws -> Store {
    try await (opening ?? startOpening()).store.value
  }

  /// Starts opening the store in the background; returns when that is under way on its thread. Errors are reported when
  /// the store is used.
  public func beginOpening() async {
    await (opening ?? startOpening()).begun.value
  }

  private func startOpening() -> Opening {
    let (beginning, signal) = AsyncStream<Never>.makeStream()
    let store = Task {
      // An opening that fails early may not have reached its thread.
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

  /// The open store and, on the first call, what was settled of dead processes. If that cannot be written now, as on a
  /// full disk, nothing is: the offline queue tries again after a pause, and so does whoever depends on it.
  /// - Throws: what opening threw.
  public func enter() async throws -> (Store, Recovery?) {
    let store = try await store()
    guard !isRecovered else { return (store, nil) }
    isRecovered = true
    return (store, (try? await store.settle()) ?? Recovery())
  }

  /// The store if it is open or being opened.
  public func openedStore() async -> Store? {
    try? await opening?.store.value
  }

  /// Closes the store: the next use reopens it.
  public func close() async {
    let store = await openedStore()
    opening = nil
    isRecovered = false
    await store?.close()
  }
}
