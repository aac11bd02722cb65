import Glibc
import Synchronization

/// A few threads of this process for work that blocks, away from the threads that run tasks.
///
/// Work begins in the order in which it was given. Started work always finishes, whatever happens to the task that
/// waits for it. The first thread is there from the beginning; more are added when work waits, up to ``width``, or none
/// where ``SystemLimits/areThreadsScarce``. Where the system allows no more threads, the work waits for those that are
/// there, so nothing ever depends on another thread.
public final class ThreadPool: Sendable {
  /// Starts a thread that runs a body and then ends: ``DedicatedThread/start(stackBytes:_:)`` unless a test replaces it.
  package typealias Starter = @Sendable (_ body: @escaping @Sendable () -> Void) throws(SystemError) -> Void

  private struct State: Sendable {
    var waiting: [@Sendable () -> Void] = []
    var threads = 0
    /// How many threads wait for work.
    var idle = 0
    /// How much work is given and not done.
    var unfinished = 0
    var finishers: [CheckedContinuation<Void, Never>] = []
    var isClosed = false
  }

  /// The most threads.
  public let width: Int
  /// Held by the threads, which must not keep the pool alive.
  private let state = Monitor(State())
  private let starter: Starter

  /// - Throws: ``SystemError`` when the system cannot create the first thread.
  public convenience init(width: Int) throws(SystemError) {
    try self.init(width: SystemLimits.areThreadsScarce ? 1 : width) { body throws(SystemError) in
      try DedicatedThread.start(body)
    }
  }

  /// A pool all of whose threads are there from the beginning.
  /// - Throws: ``SystemError`` when the system cannot create one of them.
  public convenience init(threads: Int, stackBytes: Int) throws(SystemError) {
    try self.init(width: threads) { body throws(SystemError) in
      try DedicatedThread.start(stackBytes: stackBytes, body)
    }
    try startAll()
  }

  package init(width: Int, starter: @escaping Starter) throws(SystemError) {
    self.width = max(width, 1)
    self.starter = starter
    let state = state
    try starter { Self.work(state) }
    state.withLock { $0.threads = 1 }
  }

  deinit {
    state.withLock { $0.isClosed = true }
    state.wakeAll()
  }

  /// Runs `work` on one of the threads and suspends until it returns. Cancelling the task does not end the wait early.
  /// - Parameter isUrgent: as in ``start(isUrgent:_:)``.
  public func run<Value: Sendable>(
    isUrgent: Bool = false, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      start(isUrgent: isUrgent) { continuation.resume(with: Result(catching: work)) }
    }
  }

  /// - Parameter isUrgent: true to begin ahead of all waiting work.
  public func start(isUrgent: Bool = false, _ work: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.unfinished += 1
      state.waiting.insert(work, at: isUrgent ? 0 : state.waiting.count)
      if state.waiting.count > state.idle, state.threads < width { addThread(&state) }
    }
    state.wakeOne()
  }

  /// Runs `work` for each of `items`, ahead of waiting work, and blocks the calling thread until it is done. The caller
  /// works too, so it never waits for threads that others keep busy.
  public func forEach<Item: Sendable>(_ items: [Item], _ work: @escaping @Sendable (Item) -> Void) {
    let counts = Monitor((begun: 0, done: 0))
    let workOnNext: @Sendable () -> Bool = {
      let number = counts.withLock { counts -> Int? in
        guard counts.begun < items.count else { return nil }
        counts.begun += 1
        return counts.begun - 1
      }
      guard let number else { return false }
      work(items[number])
      counts.withLock { $0.done += 1 }
      counts.wakeAll()
      return true
    }
    for _ in items.dropFirst() { start(isUrgent: true) { _ = workOnNext() } }
    while workOnNext() {}
    counts.wait { $0.done == items.count ? () : nil }
  }

  /// Returns when all work that was given is done.
  public func finish() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.unfinished > 0 { state.finishers.append(continuation) }
        return state.unfinished == 0
      }
      if isDone { continuation.resume() }
    }
  }

  private func startAll() throws(SystemError) {
    let shared = state
    while state.withLock({ $0.threads }) < width {
      try starter { Self.work(shared) }
      state.withLock { $0.threads += 1 }
    }
  }

  /// The new thread waits for the lock that the caller holds.
  private func addThread(_ state: inout State) {
    let shared = self.state
    do {
      try starter { Self.work(shared) }
      state.threads += 1
    } catch {
      // The threads that are there do the work.
    }
  }

  /// The life of one thread.
  private static func work(_ state: Monitor<State>) {
    while let work = next(state) {
      work()
      let finishers = state.withLock { state in
        state.unfinished -= 1
        guard state.unfinished == 0 else { return [CheckedContinuation<Void, Never>]() }
        defer { state.finishers = [] }
        return state.finishers
      }
      for finisher in finishers { finisher.resume() }
    }
  }

  /// - Returns: nil when the pool is gone and nothing waits.
  private static func next(_ state: Monitor<State>) -> (@Sendable () -> Void)? {
    var isIdle = false
    return state.wait { state -> (@Sendable () -> Void)?? in
      if state.waiting.isEmpty, !state.isClosed {
        if !isIdle { state.idle += 1 }
        isIdle = true
        return nil
      }
      if isIdle { state.idle -= 1 }
      isIdle = false
      return .some(state.waiting.isEmpty ? nil : state.waiting.removeFirst())
    }
  }
}

/// A pool whose threads are started at its first use, and stay.
public final class LazyThreadPool: Sendable {
  /// For short work of any part of the process with what belongs to it: the keyring, templates, its own files.
  public static let shared = LazyThreadPool(width: 3)
  /// For files that hosts name. Their disks may hang, and then hold up nothing but other files of hosts.
  public static let hostFiles = LazyThreadPool(width: 16)
  /// For the pipes of the workers, two of which may be in use.
  public static let workers = LazyThreadPool(width: 4)

  private let width: Int
  private let starter: ThreadPool.Starter?
  private let pool = Mutex<ThreadPool?>(nil)

  public convenience init(width: Int) { self.init(width: width, starter: nil) }

  package init(width: Int, starter: ThreadPool.Starter?) {
    self.width = width
    self.starter = starter
  }

  /// Runs `work` as ``ThreadPool/run(isUrgent:_:)``.
  /// - Throws: what `work` throws; ``SystemError`` when the system cannot create a single thread.
  public func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await started().run(work)
  }

  /// Gives `work` to the threads.
  /// - Throws: as ``run(_:)``.
  public func start(_ work: @escaping @Sendable () -> Void) throws(SystemError) { try started().start(work) }

  /// Returns when all work that was given is done.
  public func finish() async { await pool.withLock { $0 }?.finish() }

  private func started() throws(SystemError) -> ThreadPool {
    try pool.withLock { pool throws(SystemError) in
      if let pool { return pool }
      let new =
        if let starter { try ThreadPool(width: width, starter: starter) } else { try ThreadPool(width: width) }
      pool = new
      return new
    }
  }
}
