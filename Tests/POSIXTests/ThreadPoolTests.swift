import Glibc
import Synchronization
import Testing

@testable import POSIX

@Suite("Threads for blocking work")
struct ThreadPoolTests {
  /// How many are at work at once, and in which order they began.
  private final class Record: Sendable {
    private let state = Mutex((now: 0, most: 0, begun: [Int]()))

    func begin(_ number: Int) {
      state.withLock { state in
        state.now += 1
        state.most = max(state.most, state.now)
        state.begun.append(number)
      }
    }

    func end() { state.withLock { $0.now -= 1 } }
    var most: Int { state.withLock { $0.most } }
    var begun: [Int] { state.withLock { $0.begun } }
  }

  @Test("the threads of a pool do everything, never more at once than there are threads", arguments: [1, 2, 8])
  func width(width: Int) async throws {
    let pool = try ThreadPool(width: width)
    let record = Record()
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<300 {
        group.addTask {
          try await pool.run {
            record.begin(number)
            defer { record.end() }
            return number
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 300 * 299 / 2)
    #expect(record.most <= width)
    #expect(record.begun.sorted() == Array(0..<300))
  }

  @Test("the threads of a pool are all at work when there is enough to do", .timeLimit(.minutes(1)))
  func parallel() throws {
    let pool = try ThreadPool(width: 4)
    let record = Record()
    // Each waits for all the others: with fewer threads this would never end.
    pool.forEach(Array(0..<4)) { number in
      record.begin(number)
      while record.begun.count < 4 { sched_yield() }
    }
    #expect(record.most == 4)
  }

  @Test("the threads of a pool have done everything that was started when finishing returns", arguments: [1, 3])
  func finish(width: Int) async throws {
    let pool = try ThreadPool(width: width)
    let record = Record()
    for number in 0..<50 { pool.start { record.begin(number) } }
    await pool.finish()
    #expect(record.begun.count == 50)
  }

  /// A system that allows no more than some threads at once.
  private final class SparseSystem: Sendable {
    private let left: Mutex<Int>
    init(allowing threads: Int) { left = Mutex(threads) }
    func allow(_ more: Int) { left.withLock { $0 += more } }
    var remaining: Int { left.withLock { $0 } }

    func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
      let isAllowed = left.withLock { left in
        defer { left = max(left - 1, 0) }
        return left > 0
      }
      guard isAllowed else { throw SystemError(code: EAGAIN, operation: "start a thread") }
      try DedicatedThread.start { [self] in
        body()
        allow(1)
      }
    }
  }

  @Test("the threads of a pool do everything with as few as the system allows, down to one", arguments: 1...4)
  func sparse(threads: Int) async throws {
    let system = SparseSystem(allowing: threads)
    let pool = try ThreadPool(width: 8) { body throws(SystemError) in try system.start(body) }
    let record = Record()
    for number in 0..<200 {
      pool.start {
        record.begin(number)
        record.end()
      }
    }
    pool.forEach(Array(200..<210)) { record.begin($0); record.end() }
    await pool.finish()
    #expect(record.begun.sorted() == Array(0..<210))
    #expect(record.most <= threads)
    #expect(system.remaining >= 0)
  }

  @Test("the threads of a pool are refused where the system allows none, and are there once it does")
  func none() async throws {
    let system = SparseSystem(allowing: 0)
    let starter: ThreadPool.Starter = { body throws(SystemError) in try system.start(body) }
    #expect(throws: SystemError.self) { try ThreadPool(width: 2, starter: starter) }
    let lazy = LazyThreadPool(width: 2, starter: starter)
    await #expect(throws: SystemError.self) { try await lazy.run { 1 } }
    // Nothing was begun, so there is nothing to wait for.
    await lazy.finish()
    system.allow(1)
    #expect(try await lazy.run { 2 } == 2)
    await lazy.finish()
  }

  @Test("the threads of a pool end with the pool, after what waited was done")
  func released() async throws {
    let system = SparseSystem(allowing: 2)
    let record = Record()
    do {
      let pool = try ThreadPool(width: 2) { body throws(SystemError) in try system.start(body) }
      for number in 0..<20 { pool.start { record.begin(number) } }
    }
    while system.remaining < 2 { await Task.yield() }
    #expect(record.begun.count == 20)
  }

  @Test(
    "the caller works itself when others keep all threads busy, and gets done what it waits for", .timeLimit(.minutes(1)))
  func callerWorks() throws {
    let pool = try ThreadPool(width: 2)
    let held = Monitor(true)
    for _ in 0..<2 { pool.start { held.wait { $0 ? nil : () } } }
    let sum = Monitor(0)
    pool.forEach(Array(1...5)) { number in sum.withLock { $0 += number } }
    #expect(sum.withLock(\.self) == 15)
    held.withLock { $0 = false }
    held.wakeAll()
  }

  @Test("the threads of a pool begin urgent work ahead of all that waits, and the rest in order")
  func order() async throws {
    let pool = try ThreadPool(width: 1)
    let record = Record()
    let gate = Monitor(false)
    pool.start { gate.wait { $0 ? () : nil } }
    for number in 0..<5 { pool.start { record.begin(number) } }
    pool.start(isUrgent: true) { record.begin(9) }
    gate.withLock { $0 = true }
    gate.wakeAll()
    await pool.finish()
    #expect(record.begun == [9, 0, 1, 2, 3, 4])
  }
}
