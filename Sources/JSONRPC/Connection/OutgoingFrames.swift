/// The frames waiting to be written, in order, as a value.
///
/// A coalesced frame whose predecessor with the same key still waits takes its place there: never behind anything that
/// was queued after that one.
struct OutgoingFrames: Sendable {
  private struct Segment {
    var bytes: [UInt8]
    /// The key of the one frame in here, which a later one may replace; nil for any number of whole frames.
    var coalescingKey: String?
  }

  /// Enough for one write to be worth its system call, and little enough to leave the rest replaceable.
  private static let batchBytes = 1 << 16

  private var segments: [Segment] = []
  private var first = 0
  /// The places of replaceable frames, counted from the beginning of time.
  private var places: [String: Int] = [:]
  private var segmentsTaken = 0

  /// How many bytes wait.
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
    if let place = places[key] {
      let index = place - segmentsTaken + first
      count -= segments[index].bytes.count
      segments[index].bytes = bytes
    } else {
      places[key] = segmentsTaken + segments.count - first
      segments.append(Segment(bytes: bytes, coalescingKey: key))
    }
  }

  /// The next bytes to write: whole frames, many small ones or one large.
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

  /// Forgets everything that waits.
  mutating func removeAll() { self = OutgoingFrames() }

  private mutating func takeSegment() -> [UInt8] {
    let segment = segments[first]
    segments[first].bytes = []
    if let key = segment.coalescingKey { places[key] = nil }
    first += 1
    segmentsTaken += 1
    return segment.bytes
  }

  /// - Returns: how many bytes were added.
  private static func write(_ payload: [UInt8], _ framing: Framing, to bytes: inout [UInt8]) -> Int {
    let before = bytes.count
    if framing == .headers { bytes.append(contentsOf: "Content-Length: \(payload.count)\r\n\r\n".utf8) }
    bytes.append(contentsOf: payload)
    if framing == .lines { bytes.append(ASCII.lineFeed) }
    return bytes.count - before
  }
}
