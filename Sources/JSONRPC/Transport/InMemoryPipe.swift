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
