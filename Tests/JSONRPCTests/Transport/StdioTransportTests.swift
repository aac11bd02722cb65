import Glibc
import Testing

@testable import JSON
@testable import JSONRPC
@testable import POSIX

@Suite("A transport over descriptors")
struct StdioTransportTests {
  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(Glibc.pipe(&ends) == 0)
    return (ends[0], ends[1])
  }

  @Test("a transport over descriptors carries a megabyte there and back, and ends when its peer does")
  func carries() async throws {
    let (there, back) = (try Self.pipe(), try Self.pipe())
    let server = Connection(
      transport: try StdioTransport(input: there.read, output: back.write, ownsDescriptors: true),
      handler: TestHandler())
    let client = Connection(
      transport: try StdioTransport(input: back.read, output: there.write, ownsDescriptors: true),
      framing: .fixed(.headers),
      handler: TestHandler())
    async let serverEnd = server.run()
    async let clientEnd = client.run()
    let payload: JSONValue = ["x": .string(String(repeating: "0123456789", count: 100_000))]
    #expect(try await client.request("echo", payload) == payload)
    #expect(try await client.request("work", payload) == payload)
    await client.finish()
    #expect(await serverEnd == .inputEnded(hasReader: true))
    await server.finish()
    #expect(await clientEnd == .inputEnded(hasReader: true))
  }

  @Test("a transport over descriptors notices that nobody reads any more")
  func noReader() async throws {
    let (there, back) = (try Self.pipe(), try Self.pipe())
    let transport = try StdioTransport(input: there.read, output: back.write, ownsDescriptors: true)
    #expect(transport.hasReader)
    close(back.read)
    #expect(!transport.hasReader)
    #expect(transport.waitUntilReaderLeaves())
    #expect(throws: SystemError(code: EPIPE, operation: "write to standard output")) { try transport.write([1]) }
    close(there.write)
    var buffer = [UInt8](repeating: 0, count: 10)
    #expect(try transport.read(into: &buffer) == 0)
  }

  @Test("a transport over descriptors cancels everything when the host dies: both pipes are gone at once")
  func deadHost() async throws {
    let (there, back) = (try Self.pipe(), try Self.pipe())
    let handler = TestHandler()
    let connection = Connection(
      transport: try StdioTransport(input: there.read, output: back.write, ownsDescriptors: true), handler: handler)
    async let end = connection.run()
    let call = Array(#"{"jsonrpc":"2.0","id":1,"method":"wait"}"#.utf8) + [10]
    #expect(write(there.write, call, call.count) == call.count)
    await handler.started.reaches(1)
    close(back.read)
    close(there.write)
    #expect(await end == .inputEnded(hasReader: false))
    #expect(handler.cancelled.count == 1)
    await connection.finish()
  }

  @Test("a transport over descriptors stops reading and watching when told to")
  func stops() throws {
    let (there, back) = (try Self.pipe(), try Self.pipe())
    let transport = try StdioTransport(input: there.read, output: back.write, ownsDescriptors: true)
    transport.stopReading()
    transport.stopWatching()
    var buffer = [UInt8](repeating: 0, count: 10)
    #expect(try transport.read(into: &buffer) == 0)
    #expect(!transport.waitUntilReaderLeaves())
    close(there.write)
    close(back.read)
  }

  @Test("a transport over descriptors writes whole frames to an output that does not block")
  func nonBlockingOutput() async throws {
    let (there, back) = (try Self.pipe(), try Self.pipe())
    _ = fcntl(back.write, F_SETFL, O_NONBLOCK)
    let transport = try StdioTransport(input: there.read, output: back.write, ownsDescriptors: true)
    let bytes = [UInt8](repeating: 7, count: 1 << 20)
    let written = Promise<Bool>()
    try DedicatedThread.start { written.fulfil((try? transport.write(bytes)) != nil) }
    var received = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while received < bytes.count { received += read(back.read, &buffer, buffer.count) }
    #expect(await written.value() == true)
    #expect(received == bytes.count)
    close(there.write)
    close(back.read)
  }

  @Test("a transport over descriptors lets its reader see the end without giving its number away")
  func closesOutput() throws {
    let (there, back) = (try Self.pipe(), try Self.pipe())
    let transport = try StdioTransport(input: there.read, output: back.write, ownsDescriptors: true)
    transport.closeOutput()
    var byte: UInt8 = 0
    #expect(read(back.read, &byte, 1) == 0)
    #expect(fcntl(back.write, F_GETFD) == FD_CLOEXEC)
    close(there.write)
    close(back.read)
  }
}
