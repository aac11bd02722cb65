import Encodings
import POSIX

/// The queue of outgoing frames and the single thread that writes them: whole frames, one after another.
///
/// Adding never blocks. The queue is bounded because the reader pauses while too many bytes wait, so that no input
/// arrives that could cause another answer; no answer is dropped while anyone can read it.
final class OutgoingQueue: Sendable {
  private struct State: Sendable {
    var frames = OutgoingFrames()
    var framing: Framing
    var bytesBeingWritten = 0
    var isWriterAsleep = false
    var isReaderWaiting = false
    var isReaderReleased = false
    var isStarted = false
    var isFinished = false
    var hasFailed = false
    /// Fulfilled once half of the bytes are written: for tasks that have more to send.
    var room: Promise<Void>?

    var count: Int { frames.count + bytesBeingWritten }
  }

  private let state: Monitor<State>
  private let maximumBytes: Int
  /// Fulfilled when the writer's thread has ended: everything is written, or nothing more can be written.
  let ended = Promise<Void>()

  init(framing: Framing, maximumBytes: Int) {
    state = Monitor(State(framing: framing))
    self.maximumBytes = maximumBytes
  }

  /// Starts the writer's thread.
  /// - Parameter failed: called on the writer's thread once writing has failed and all waiting frames are dropped.
  func start(writingTo transport: any Transport, failed: @escaping @Sendable () -> Void) throws(SystemError) {
    state.withLock { $0.isStarted = true }
    try DedicatedThread.start { [self] in
      write(to: transport, failed: failed)
      ended.fulfil(())
    }
  }

  /// The framing of every frame added from now on.
  func use(_ framing: Framing) { state.withLock { $0.framing = framing } }

  /// - Parameter isHeld: if true, the writer sleeps until ``release(through:)``: for the reader, which often appends
  ///   several answers in a row.
  /// - Returns: false when nothing can be written any more.
  @discardableResult
  func append(_ payload: [UInt8], coalescing key: String? = nil, isHeld: Bool = false) -> Bool {
    let wakes: Bool? = state.withLock { state in
      guard !state.hasFailed, !state.isFinished else { return nil }
      if let key {
        state.frames.append(payload, framing: state.framing, coalescing: key)
      } else {
        state.frames.append(payload, framing: state.framing)
      }
      return !isHeld && state.isWriterAsleep
    }
    if wakes == true { state.wakeAll() }
    return wakes != nil
  }

  /// Writes what was added so far: on the calling thread if the batch is small and cannot block, which avoids waking
  /// the writer (on an idle machine, most of the time of a ping); otherwise on the writer. For the reader's thread.
  func release(through transport: any Transport) {
    if let batch = takeSmallBatch(for: transport) {
      deliver(batch, to: transport)
      if endDelivery().needsWriter { state.wakeAll() }
    } else if state.withLock({ $0.isWriterAsleep && !$0.frames.isEmpty }) {
      state.wakeAll()
    }
  }

  /// - Returns: all waiting bytes, if no other thread is writing and `transport` accepts them without blocking.
  private func takeSmallBatch(for transport: any Transport) -> [UInt8]? {
    state.withLock { state in
      guard state.isWriterAsleep, state.bytesBeingWritten == 0, !state.frames.isEmpty, !state.hasFailed,
        transport.takesAtOnce(state.frames.count)
      else { return nil }
      let batch = state.frames.takeBatch()
      state.bytesBeingWritten = batch.count
      return batch
    }
  }

  /// Waits, without blocking a thread, while too many bytes wait to be written.
  func waitForRoom() async {
    while !Task.isCancelled, let room = promiseOfRoom() { _ = await room.value() }
  }

  private func promiseOfRoom() -> Promise<Void>? {
    state.withLock { state in
      guard state.count > maximumBytes, !state.hasFailed, !state.isFinished else { return nil }
      let room = state.room ?? Promise()
      state.room = room
      return room
    }
  }

  /// Blocks the reader's thread while too many bytes wait to be written.
  func blockUntilRoom() {
    state.wait { state in
      let limit = state.isReaderWaiting ? maximumBytes / 2 : maximumBytes
      guard state.count > limit, !state.hasFailed, !state.isReaderReleased else {
        state.isReaderWaiting = false
        return ()
      }
      state.isReaderWaiting = true
      return nil
    }
  }

  /// Ends ``blockUntilRoom()`` for good, because nothing more will be read.
  func releaseReader() {
    state.withLock { $0.isReaderReleased = true }
    state.wakeAll()
  }

  /// Accepts no more frames; the writer ends when everything is written.
  func finish() {
    let (isStarted, room) = state.withLock { state in
      state.isFinished = true
      return (state.isStarted, takeRoom(of: &state))
    }
    room?.fulfil(())
    if isStarted { state.wakeAll() } else { ended.fulfil(()) }
  }

  private func write(to transport: any Transport, failed: () -> Void) {
    while let batch = nextBatch() { deliver(batch, to: transport) }
    if state.withLock({ $0.hasFailed }) { failed() }
  }

  private func deliver(_ batch: [UInt8], to transport: any Transport) {
    do {
      try transport.write(batch)
    } catch {
      state.withLock { state in
        state.hasFailed = true
        state.frames.removeAll()
      }
      state.wakeAll()
    }
  }

  /// Notes that a batch is written, and tells the tasks that wait for room.
  private func endDelivery() -> (needsWriter: Bool, wakesReader: Bool) {
    let (needsWriter, wakesReader, room) = state.withLock { state in
      state.bytesBeingWritten = 0
      let needsWriter = state.hasFailed || state.isFinished || !state.frames.isEmpty
      return (needsWriter, state.isReaderWaiting, takeRoom(of: &state))
    }
    room?.fulfil(())
    return (needsWriter, wakesReader)
  }

  private func takeRoom(of state: inout State) -> Promise<Void>? {
    guard let room = state.room, state.count <= maximumBytes / 2 || state.hasFailed || state.isFinished else { return nil }
    state.room = nil
    return room
  }

  /// - Returns: nil when everything is written and nothing more can be added.
  private func nextBatch() -> [UInt8]? {
    if endDelivery().wakesReader { state.wakeAll() }
    return state.wait { state -> [UInt8]?? in
      if state.hasFailed { return .some(nil) }
      // A batch that the reader is writing itself comes first.
      guard !state.frames.isEmpty, state.bytesBeingWritten == 0 else {
        state.isWriterAsleep = true
        return state.isFinished && state.bytesBeingWritten == 0 ? .some(nil) : nil
      }
      state.isWriterAsleep = false
      let batch = state.frames.takeBatch()
      state.bytesBeingWritten = batch.count
      return batch
    }
  }
}

/// The frames waiting to be written, in order, as a value type.
///
/// A coalesced frame takes the position of a waiting frame with the same key, so it is never written after frames
/// that were queued later than the one it replaces.
struct OutgoingFrames: Sendable {
  private struct Segment {
    var bytes: [UInt8]
    /// The key of the single frame in this segment, which a later frame may replace; nil for any number of frames.
    var coalescingKey: String?
  }

  /// Large enough to justify a system call, and small enough to leave the remaining frames replaceable.
  private static let batchBytes = 1 << 16

  private var segments: [Segment] = []
  private var first = 0
  /// The positions of replaceable frames, counted from the first segment ever added.
  private var positions: [String: Int] = [:]
  private var segmentsTaken = 0

  /// The number of waiting bytes.
  private(set) var count = 0
  var isEmpty: Bool { count == 0 }

  mutating func append(_ payload: [UInt8], framing: Framing) {
    let last = segments.count - 1
    if last >= first, segments[last].coalescingKey == nil, segments[last].bytes.count < Self.batchBytes {
      count += Self.write(payload, framing, to: &segments[last].bytes)
    } else {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(payload.count + 32)
      count += Self.write(payload, framing, to: &bytes)
      segments.append(Segment(bytes: bytes, coalescingKey: nil))
    }
  }

  mutating func append(_ payload: [UInt8], framing: Framing, coalescing key: String) {
    var bytes: [UInt8] = []
    count += Self.write(payload, framing, to: &bytes)
    if let position = positions[key] {
      let index = position - segmentsTaken + first
      count -= segments[index].bytes.count
      segments[index].bytes = bytes
    } else {
      positions[key] = segmentsTaken + segments.count - first
      segments.append(Segment(bytes: bytes, coalescingKey: key))
    }
  }

  /// The next bytes to write: whole frames, either many small ones or one large one.
  mutating func takeBatch() -> [UInt8] {
    guard first < segments.count else { return [] }
    var batch = takeSegment()
    while first < segments.count, batch.count + segments[first].bytes.count <= Self.batchBytes {
      batch.append(contentsOf: takeSegment())
    }
    if first == segments.count {
      segments.removeAll(keepingCapacity: true)
      first = 0
    } else if first > 1024, first > segments.count / 2 {
      segments.removeFirst(first)
      first = 0
    }
    count -= batch.count
    return batch
  }

  /// Discards everything that waits.
  mutating func removeAll() { self = OutgoingFrames() }

  private mutating func takeSegment() -> [UInt8] {
    let segment = segments[first]
    segments[first].bytes = []
    if let key = segment.coalescingKey { positions[key] = nil }
    first += 1
    segmentsTaken += 1
    return segment.bytes
  }

  /// - Returns: the number of bytes added.
  private static func write(_ payload: [UInt8], _ framing: Framing, to bytes: inout [UInt8]) -> Int {
    let before = bytes.count
    if framing == .headers { bytes.append(contentsOf: "Content-Length: \(payload.count)\r\n\r\n".utf8) }
    bytes.append(contentsOf: payload)
    if framing == .lines { bytes.append(ASCII.lineFeed) }
    return bytes.count - before
  }
}
