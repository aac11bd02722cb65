import Glibc
import Support
import Testing

@testable import POSIX

@Suite("Termination signals", .serialized)
struct TerminationSignalsTests {
  @Test("termination signals arrive as calls instead of ending the process")
  func arrive() async throws {
    let received = Counter()
    try TerminationSignals.watch { number in
      if number == SIGTERM || number == SIGINT { received.increment() }
    }
    defer {
      signal(SIGTERM, SIG_DFL)
      signal(SIGINT, SIG_DFL)
    }
    kill(getpid(), SIGTERM)
    await received.reaches(1)
    kill(getpid(), SIGINT)
    await received.reaches(2)
    #expect(received.count == 2)
  }
}
