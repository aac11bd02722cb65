import Glibc
import Synchronization
import Testing

@testable import Store

@Suite("Threads for blocking work")
struct BlockingPoolTests {
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

  @Test("do everything, never more at once than there are threads", arguments: [1, 2, 8])
  func width(width: Int) async throws {
    let pool = BlockingPool(label: "test", width: width)
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

  @Test("are all at work when there is enough of it", .timeLimit(.minutes(1)))
  func parallel() async throws {
    let pool = BlockingPool(label: "test", width: 4)
    let record = Record()
    // Each waits for all the others: with fewer threads this would never end.
    pool.forEach(Array(0..<4)) { number in
      record.begin(number)
      while record.begun.count < 4 { sched_yield() }
    }
    #expect(record.most == 4)
  }

  @Test("have done everything that was started when finishing returns", arguments: [1, 3])
  func finish(width: Int) async throws {
    let pool = BlockingPool(label: "test", width: width)
    let record = Record()
    for number in 0..<50 { pool.start { record.begin(number) } }
    await pool.finish()
    #expect(record.begun.count == 50)
  }
}
