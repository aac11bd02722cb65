/// A transport within one process: for tests, and for two peers that live together.
public final class InMemoryTransport: Transport {
  public let input: InMemoryPipe
  public let output: InMemoryPipe

  public init(input: InMemoryPipe, output: InMemoryPipe) {
    self.input = input
    self.output = output
  }

  /// Two transports, each reading what the other writes.
  public static func pair(capacity: Int = 1 << 16) -> (InMemoryTransport, InMemoryTransport) {
    let (there, back) = (InMemoryPipe(capacity: capacity), InMemoryPipe(capacity: capacity))
    return (InMemoryTransport(input: there, output: back), InMemoryTransport(input: back, output: there))
  }

  public func read(into buffer: inout [UInt8]) -> Int { input.read(into: &buffer) }
  public func stopReading() { input.stopReading() }
  public func write(_ bytes: [UInt8]) throws { try output.write(bytes) }
  /// Never known: the reader may be anywhere.
  public func takesAtOnce(_ count: Int) -> Bool { false }
  public var hasReader: Bool { output.hasReader }
  public func waitUntilReaderLeaves() -> Bool { output.waitUntilReaderLeaves() }
  public func stopWatching() { output.stopWatching() }
  public func closeOutput() { output.closeWriter() }
}
