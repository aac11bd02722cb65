import AtelierProtocol
import Store
import Synchronization

/// The only way to the store: opens it at its first use, so that only work that needs the database waits for it, and
/// recovers once what dead processes left behind.
///
/// A failed opening is reported to its caller and retried by the next one: the disk may have been repaired.
public actor LazyStore {
  /// Receives what was recovered of dead processes.
  /// - Parameter isFirst: true at the first use of a store that was just opened.
  typealias Receiver = @Sendable (_ recovery: Recovery, _ isFirst: Bool) async -> Void

  private let open: @Sendable (_ begun: @escaping @Sendable () -> Void) async throws -> Store
  private var opening: Opening?
  /// Whether the open store was used.
  private(set) var isInUse = false
  /// Why the last opening failed; nil once one has succeeded.
  private var failure: AtelierError?
  private var pauses = RetryPauses()
  private let uptimeMs: @Sendable () -> Int64
  /// Until when nobody opens it again, because the last opening was not answered.
  private var refusesUntilMs = Int64.min
  /// An opening that has failed after so long was not answered, in milliseconds.
  static let silenceMs: Int64 = 5_000
  private nonisolated let receiver = Mutex<Receiver?>(nil)

  private struct Opening {
    var store: Task<Store, any Error>
    /// Ends when the opening is under way on its thread, or has failed earlier.
    var begun: Task<Void, Never>
  }

  /// - Parameters:
  ///   - uptimeMs: the uptime of the process, in milliseconds.
  ///   - open: calls `begun` when the opening is under way on its own thread.
  public init(
    uptimeMs: @escaping @Sendable () -> Int64,
    open: @escaping @Sendable (_ begun: @escaping @Sendable () -> Void) async throws -> Store
  ) {
    self.open = open
    self.uptimeMs = uptimeMs
  }

  /// A store that is open already, which ``close()`` closes, whether or not it was used.
  public init(_ store: Store) {
    open = { _ in store }
    uptimeMs = { 0 }
    opening = Opening(store: Task<Store, any Error> { store }, begun: Task {})
  }

  /// The open store. The first call also recovers what dead processes left. If that cannot be written now, as on a full
  /// disk, nothing is: the offline queue tries again after a pause, and so does whoever depends on it.
  /// - Throws: `AtelierError`, without the paths that the original error names for operators.
  public func store() async throws -> Store {
    // Whoever comes after one that has waited in vain is refused at once for a while.
    if opening == nil, let failure, uptimeMs() < refusesUntilMs { throw failure }
    let store = try await (opening ?? startOpening()).store.value
    guard !isInUse else { return store }
    isInUse = true
    await report((try? await store.recover()) ?? Recovery(), isFirst: true)
    return store
  }

  /// The open store, for an answer that only tells whether there is one: after a failed opening, another one is tried after
  /// a pause, which doubles. Opening a store on a full disk creates a database each time.
  /// - Parameter now: the uptime of the process, in milliseconds.
  /// - Throws: what ``store()`` throws; during a pause what it threw last.
  func store(ifDueAtMs now: Int64) async throws -> Store {
    if opening == nil, let failure, !pauses.isDue(atMs: now) { throw failure }
    do {
      return try await store()
    } catch {
      if opening == nil { pauses.failed(atMs: now) }
      throw error
    }
  }

  /// The store if it is open or being opened. Recovers nothing.
  public var storeIfOpen: Store? {
    get async { try? await opening?.store.value }
  }

  /// Starts opening the store in the background; returns when that is under way on its thread. Errors are reported when
  /// the store is used.
  public func beginOpening() async {
    await (opening ?? startOpening()).begun.value
  }

  private func startOpening() -> Opening {
    let (beginning, signal) = AsyncStream<Never>.makeStream()
    let began = uptimeMs()
    let store = Task {
      // An opening that fails early may not have reached its thread.
      defer { signal.finish() }
      do {
        let store = try await open { signal.finish() }
        failure = nil
        pauses.succeeded()
        return store
      } catch {
        let error = AtelierError(wrapping: error)
        let now = uptimeMs()
        if now - began >= Self.silenceMs { refusesUntilMs = now + (now - began) }
        (opening, failure) = (nil, error)
        throw error
      }
    }
    let started = Opening(store: store, begun: Task { for await _ in beginning {} })
    opening = started
    return started
  }

  /// Closes the store: the next use reopens it.
  public func close() async {
    let store = await storeIfOpen
    opening = nil
    isInUse = false
    await store?.close()
  }

  // MARK: Recovery

  /// Recovers what dead processes left behind since the first use.
  /// - Throws: what opening throws; the store's error when it cannot be written now.
  func recover() async throws {
    await report(try await store().recover(), isFirst: false)
  }

  /// Recovers what dead processes left behind, if that can be written now: for answers that do not depend on it.
  func recoverIfPossible() async { try? await recover() }

  /// Names the one that receives whatever is recovered from now on.
  nonisolated func reportRecovered(to receiver: @escaping Receiver) { self.receiver.withLock { $0 = receiver } }

  /// Passes on what was recovered of dead processes.
  nonisolated func report(_ recovery: Recovery, isFirst: Bool = false) async {
    await receiver.withLock(\.self)?(recovery, isFirst)
  }
}
