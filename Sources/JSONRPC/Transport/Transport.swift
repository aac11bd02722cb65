import POSIX

/// Two byte streams, in and out. One thread reads and one writes; both may block.
public protocol Transport: Sendable {
  /// Blocks until bytes have come and puts them at the start of `buffer`.
  /// - Returns: how many; 0 at the end of the input or after ``stopReading()``.
  func read(into buffer: inout [UInt8]) throws -> Int

  /// Makes the current and every later ``read(into:)`` return 0. Any thread.
  func stopReading()

  /// Writes everything; blocks for as long as nobody reads.
  /// - Throws: when nobody ever will.
  func write(_ bytes: [UInt8]) throws

  /// Whether ``write(_:)`` of so many bytes would not block now, as long as nobody else writes. Any thread.
  func takesAtOnce(_ count: Int) -> Bool

  /// Whether anybody is left who could read the output. Any thread.
  var hasReader: Bool { get }

  /// Blocks until nobody is left to read the output, or until ``stopWatching()``.
  /// - Returns: true when nobody is left.
  func waitUntilReaderLeaves() -> Bool

  /// Ends ``waitUntilReaderLeaves()``. Any thread.
  func stopWatching()

  /// Lets the reader see the end of the output, if the transport is free to close it. After the last write.
  func closeOutput()
}

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

/// A byte stream within one process, with a pipe's manners: a full one blocks its writer, a write without a reader
/// fails, a read at the end returns nothing.
public final class InMemoryPipe: Sendable {
  /// Nobody reads any more.
  public struct Broken: Error {}

  private struct State {
    var bytes: [UInt8] = []
    var isWriterClosed = false
    var isReaderClosed = false
    var isReadingStopped = false
    var isWatchingStopped = false
  }

  private let capacity: Int
  private let state = Monitor(State())

  /// - Parameter capacity: how many bytes may wait before a writer blocks.
  public init(capacity: Int = 1 << 16) { self.capacity = max(capacity, 1) }

  /// Blocks until there are bytes, or the end.
  public func read(into buffer: inout [UInt8]) -> Int {
    let bytes: ArraySlice<UInt8> = state.wait { state in
      if state.isReadingStopped || state.isReaderClosed { return [] }
      guard !state.bytes.isEmpty else { return state.isWriterClosed ? [] : nil }
      let bytes = state.bytes.prefix(buffer.count)
      state.bytes.removeFirst(bytes.count)
      return bytes
    }
    state.wakeAll()
    buffer.replaceSubrange(0..<bytes.count, with: bytes)
    return bytes.count
  }

  /// Blocks until everything is in the pipe.
  public func write(_ bytes: [UInt8]) throws(Broken) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written: Int = state.wait { state in
        if state.isReaderClosed || state.isWriterClosed { return -1 }
        let room = min(capacity - state.bytes.count, rest.count)
        guard room > 0 else { return nil }
        state.bytes.append(contentsOf: rest.prefix(room))
        return room
      }
      guard written >= 0 else { throw Broken() }
      rest = rest.dropFirst(written)
      state.wakeAll()
    }
  }

  /// The end of the stream, behind what is in the pipe.
  public func closeWriter() { change { $0.isWriterClosed = true } }

  /// What is in the pipe is lost, and writing fails from now on.
  public func closeReader() { change { $0.isReaderClosed = true } }

  func stopReading() { change { $0.isReadingStopped = true } }
  func stopWatching() { change { $0.isWatchingStopped = true } }
  var hasReader: Bool { state.withLock { !$0.isReaderClosed } }

  func waitUntilReaderLeaves() -> Bool {
    state.wait { state in
      if state.isReaderClosed { return true }
      return state.isWatchingStopped ? false : nil
    }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock(body)
    state.wakeAll()
  }
}
