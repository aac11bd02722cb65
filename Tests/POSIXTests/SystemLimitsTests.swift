import Glibc
import Support
import Synchronization
import Testing

@testable import POSIX

@Suite("The limits of the system")
struct SystemLimitsTests {
  @Test("the limits of the system allow as many threads as can be there at once", arguments: [0, 1, 5, 7, 8, 20])
  func threads(most: Int) async throws {
    let (alive, started) = (Counter(), Counter())
    let ended = Counter()
    let allowed = SystemLimits.allowedThreads(atMost: 8) { body throws(SystemError) in
      guard started.count < most else { throw SystemError(code: EAGAIN, operation: "start a thread") }
      started.increment()
      try DedicatedThread.start {
        alive.increment()
        body()
        ended.increment()
      }
    }
    #expect(allowed == min(most, 8))
    await alive.reaches(allowed)
    // None is left behind.
    await ended.reaches(allowed)
  }

  @Test("the threads of this process are counted")
  func presentThreads() async throws {
    let (isOver, started, ended) = (Monitor(false), Counter(), Counter())
    for _ in 0..<20 {
      try? DedicatedThread.start {
        started.increment()
        isOver.wait { $0 ? () : nil }
        ended.increment()
      }
    }
    await started.reaches(20)
    // Others start and end threads meanwhile.
    let isExact = try (0..<1000).contains { _ in
      try FileSystem.names(in: "/proc/self/task").count == SystemLimits.presentThreads
    }
    #expect(isExact && SystemLimits.presentThreads > 20)
    isOver.withLock { $0 = true }
    isOver.wakeAll()
    await ended.reaches(20)
  }

  @Test("a system without a limit leaves what is asked for")
  func plenty() {
    #expect(SystemLimits.lookAtThreads(plenty: 12) == 12)
    #expect(!SystemLimits.areThreadsScarce)
    #expect(SystemLimits.allowedFiles(atMost: 12) == 12)
    #expect(SystemLimits.addressSpaceLeft.map { $0 > 0 } ?? true)
  }
}
