/// Writes events as a server sends them (`text/event-stream`).
struct EventStream {
  var fault: StreamFault?

  /// - Parameter events: JSON, each on one line.
  /// - Returns: what to send, each element at once.
  func pieces(_ events: [String]) -> [[UInt8]] {
    switch fault {
    case .error: return [event(events[0]), event(Self.overloaded)]
    case .bareError: return [event(events[0]), Array((Self.overloaded + "\n").utf8)]
    case .noFinish: return (events.count > 1 ? events.dropLast() : []).map(event)
    case .done: return events.map(event) + [event("[DONE]")]
    case .notJSON: return [event(events[0]), event("{\"candidates\": [oops")] + events.dropFirst().map(event)
    case .comments:
      return [Array(": hello\n\n".utf8)] + events.map { Array(": still there\nevent: message\n".utf8) + event($0) }
    case .smallPieces: return Self.cut(Array(events.map(event).joined()), 7)
    case .carriageReturns, .manyLines, nil: return events.map(event)
    }
  }

  private static let overloaded = """
    {"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}
    """

  private func event(_ json: String) -> [UInt8] {
    let end = fault == .carriageReturns ? "\r\n" : "\n"
    // A line may end after a brace that opens an object: white space is allowed there.
    let lines = fault == .manyLines && json.hasPrefix("{") ? ["{", String(json.dropFirst())] : [json]
    return Array((lines.map { "data: \($0)\(end)" }.joined() + end).utf8)
  }

  private static func cut(_ bytes: [UInt8], _ length: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: length).map { Array(bytes[$0..<min($0 + length, bytes.count)]) }
  }
}
