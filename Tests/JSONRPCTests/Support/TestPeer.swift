import Synchronization

@testable import JSON
@testable import JSONRPC
@testable import POSIX

/// The other end of a connection under test: writes raw bytes, reads what comes back message by message.
final class TestPeer: Sendable {
  let transport: InMemoryTransport
  private let messages: AsyncStream<JSONValue>
  private let raw = Mutex<[UInt8]>([])

  /// - Parameter reads: false for a peer that never reads.
  init(_ transport: InMemoryTransport, framing: Framing = .lines, reads: Bool = true) throws {
    self.transport = transport
    let (stream, feed) = AsyncStream.makeStream(of: JSONValue.self)
    messages = stream
    if reads { try startReading(framing, feed) }
  }

  func startReading(_ framing: Framing, _ feed: AsyncStream<JSONValue>.Continuation) throws {
    try DedicatedThread.start { [self] in
      var frames = FrameParser(.fixed(framing), maximumMessageBytes: .max)
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = transport.read(into: &buffer), count > 0 {
        raw.withLock { $0 += buffer[..<count] }
        frames.append(buffer[..<count])
        while let frame = frames.next() {
          if case .message(let bytes) = frame, let value = try? JSONValue(parsing: bytes) { feed.yield(value) }
        }
      }
      feed.finish()
    }
  }

  /// Everything read so far, as it came.
  var received: [UInt8] { raw.withLock { $0 } }

  func send(_ text: String) throws { try send(Array(text.utf8)) }
  func send(_ bytes: [UInt8]) throws { try transport.write(bytes) }

  /// The next message; nil at the end.
  func next() async -> JSONValue? {
    var iterator = messages.makeAsyncIterator()
    return await iterator.next()
  }

  /// All messages up to the end.
  func rest() async -> [JSONValue] {
    var all: [JSONValue] = []
    for await message in messages { all.append(message) }
    return all
  }

  func closeInput() { transport.closeOutput() }
  func stopReading() { transport.input.closeReader() }
}
