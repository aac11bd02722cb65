import Glibc
import Support
import Testing

@testable import POSIX

@Suite("Standard output")
struct StandardOutputTests {
  private func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(Glibc.pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    signal(SIGPIPE, SIG_IGN)
    return (ends[0], ends[1])
  }

  private func contents(of descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while case let count = read(descriptor, &part, part.count), count > 0 { bytes += part[..<count] }
    return bytes
  }

  @Test("standard output gets everything in order, at the latest at the end")
  func complete() async throws {
    let (reading, writing) = try pipe()
    let output = StandardOutput(descriptor: writing)
    let all = try await DedicatedThread.run {
      try DedicatedThread.start {
        for number in 0..<20_000 { output.write("line \(number)\n") }
        _ = try? output.writeNow(Array("now\n".utf8))
        output.write("last")
        _ = try? output.finish()
        close(writing)
      }
      return contents(of: reading)
    }
    close(reading)
    #expect(all == Array(((0..<20_000).map { "line \($0)\n" } + ["now\n", "last"]).joined().utf8))
  }

  @Test("standard output waits for room in a pipe that another program has made non-blocking")
  func nonBlocking() async throws {
    let (reading, writing) = try pipe()
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    let output = StandardOutput(descriptor: writing)
    let sent = [UInt8](repeating: 7, count: 1 << 20)
    let all = try await DedicatedThread.run {
      try DedicatedThread.start {
        try? output.writeNow(sent)
        close(writing)
      }
      return contents(of: reading)
    }
    close(reading)
    #expect(all == sent)
  }

  @Test("standard output of a full disk fails once, at the end, and whoever wrote goes on", arguments: [1, 100, 300_000])
  func full(bytes: Int) throws {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let output = StandardOutput(descriptor: descriptor)
    for _ in 0..<3 { output.write(String(repeating: "x", count: bytes)) }
    let failure = #expect(throws: SystemError.self) { try output.finish() }
    #expect(failure?.code == ENOSPC && failure?.isReaderGone == false)
    #expect(failure?.description == "Could not write to standard output: No space left on device.")
  }

  @Test("standard output tells a caller who asks for a failure, and nobody twice")
  func toldOnce() throws {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let output = StandardOutput(descriptor: descriptor)
    output.write("before")
    #expect(throws: SystemError.self) { try output.writeNow([1]) }
    try output.finish()
  }

  @Test("standard output without a reader fails in a way that is no fault of the writer")
  func noReader() throws {
    let (reading, writing) = try pipe()
    close(reading)
    defer { close(writing) }
    let output = StandardOutput(descriptor: writing)
    output.write("x")
    let failure = #expect(throws: SystemError.self) { try output.finish() }
    #expect(failure?.code == EPIPE && failure?.isReaderGone == true)
  }

  @Test("standard output that nothing was written to does not fail", arguments: ["/dev/full", "/dev/null"])
  func unused(path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let output = StandardOutput(descriptor: descriptor)
    output.write("")
    try output.finish()
  }
}
