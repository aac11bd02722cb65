import Glibc
import Testing

@testable import POSIX

@Suite("A child process")
struct PosixSpawnTests {
  @Test("a child process has the descriptors it is given and no others, even those that are not closed on exec")
  func descriptors() async throws {
    let stray = dup(STDERR_FILENO)
    defer { close(stray) }
    #expect(fcntl(stray, F_GETFD) == 0)
    let output = try PipeEnds()
    let child = try PosixSpawn.start(
      "/bin/sh", ["-c", "echo /proc/$$/fd/*"], environment: [],
      descriptors: [(output.writing.number, 0), (output.writing.number, 1), (output.writing.number, 2)],
      operation: "start a shell")
    let reading = output.intoReading()
    let text = try await DedicatedThread.run { [number = reading.number] in
      var status: Int32 = 0
      while waitpid(child, &status, 0) < 0, errno == EINTR {}
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(number, &bytes, bytes.count)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
    // The shell opens no more than one itself, to look.
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap {
      $0.split(separator: "/").last.flatMap { Int32($0) }
    }
    #expect(numbers.starts(with: [0, 1, 2]) && numbers.count <= 4 && !numbers.contains(stray), "\(text)")
  }
}
