import Glibc
import Testing

@testable import POSIX

@Suite("Standard error")
struct StandardErrorTests {
  @Test("standard error takes lines, cuts long ones, drops and counts them when it is full, and says so later")
  func full() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let output = StandardError(descriptor: ends[1])
    output.write("hello")
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    #expect(read(ends[0], &buffer, buffer.count) == 6)

    let long = String(repeating: "x", count: 10_000)
    // A pipe holds 64 KiB; none of these may block.
    for _ in 0..<100 { output.write(long) }
    let dropped = output.droppedLines
    #expect(dropped > 0)
    let count = read(ends[0], &buffer, buffer.count)
    #expect(count == (100 - dropped) * StandardError.maximumLineBytes)
    output.write("again")
    let text = String(decoding: buffer[..<read(ends[0], &buffer, buffer.count)], as: UTF8.self)
    #expect(text == "(\(dropped) lines were dropped here because standard error was full)\nagain\n")
    #expect(output.droppedLines == 0)
    close(ends[0])
    close(ends[1])
  }

  @Test("standard error survives that nobody reads it, and that it is closed")
  func closed() throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    let unread = StandardError(descriptor: ends[1])
    unread.write("hello")
    #expect(unread.droppedLines == 1)
    close(ends[1])
    let closed = StandardError(descriptor: 1_000_000)
    closed.write("hello")
    closed.write("hello")
    #expect(closed.droppedLines == 2)
  }
}
