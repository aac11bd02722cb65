import POSIX

/// Two byte streams, input and output. One thread reads and one writes; both may block.
public protocol Transport: Sendable {
  /// Blocks until bytes are available and stores them at the start of `buffer`.
  /// - Returns: the number of bytes; 0 at the end of the input or after ``stopReading()``.
  func read(into buffer: inout [UInt8]) throws -> Int

  /// Makes the current and every later ``read(into:)`` return 0. Callable from any thread.
  func stopReading()

  /// Writes all bytes; blocks while the reader does not read.
  /// - Throws: when there is no reader any more.
  func write(_ bytes: [UInt8]) throws

  /// Whether ``write(_:)`` of `count` bytes would not block now, if no other thread writes. Callable from any thread.
  func takesAtOnce(_ count: Int) -> Bool

  /// Whether anyone can still read the output. Callable from any thread.
  var hasReader: Bool { get }

  /// Blocks until nobody can read the output any more, or until ``stopWatching()``.
  /// - Returns: true when there is no reader any more.
  func waitUntilReaderLeaves() -> Bool

  /// Ends ``waitUntilReaderLeaves()``. Callable from any thread.
  func stopWatching()

  /// Signals the end of the output to the reader, if the transport may close it. Called after the last write.
  func closeOutput()
}

/// A transport within one process: for tests, and for two peers in the same process.
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
  /// Always false: the state of the reader is unknown.
  public func takesAtOnce(_ count: Int) -> Bool { false }
  public var hasReader: Bool { output.hasReader }
  public func waitUntilReaderLeaves() -> Bool { output.waitUntilReaderLeaves() }
  public func stopWatching() { output.stopWatching() }
  public func closeOutput() { output.closeWriter() }
}

/// A byte stream within one process that behaves like a pipe: a write to a full pipe blocks, a write without a reader
/// fails, a read at the end returns nothing.
public final class InMemoryPipe: Sendable {
  /// There is no reader any more.
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

  /// - Parameter capacity: the number of bytes that may wait before a writer blocks.
  public init(capacity: Int = 1 << 16) { self.capacity = max(capacity, 1) }

  /// Blocks until bytes are available or the stream ends.
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

  /// Blocks until all bytes are in the pipe.
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

  /// Ends the stream after the bytes already in the pipe.
  public func closeWriter() { change { $0.isWriterClosed = true } }

  /// Discards the bytes in the pipe; later writes fail.
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
