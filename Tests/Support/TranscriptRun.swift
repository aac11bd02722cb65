import JSON

/// One run of a transcript: says what to send, and judges what comes. It does no input or output itself.
///
/// Use: send everything ``due()``; give each message that comes to ``receive(_:)`` and send what is then due; when
/// ``isComplete``, end the input, and give what still comes to ``receive(_:)``.
public struct TranscriptRun: Sendable {
  /// A conversation that went another way.
  public struct Mismatch: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line of the transcript, from 1; nil after its end.
    public var line: Int?
    /// Where the message differs, as a JSON Pointer.
    public var path: String
    public var expected: String
    public var actual: String
    /// The whole message.
    public var message: String

    public var description: String {
      let place = line.map { "line \($0)" } ?? "after the end"
      return "\(place): at \"\(path)\" expected \(expected), got \(actual), in \(message)"
    }
  }

  public let transcript: Transcript
  public private(set) var matcher = TranscriptMatcher()
  private var position = 0
  private var allowed: [JSONValue] = []

  public init(_ transcript: Transcript) { self.transcript = transcript }

  /// True when everything was sent and every expected message came.
  public var isComplete: Bool { position == transcript.lines.count }

  /// The line of the message that is waited for; nil when none is.
  public var awaitedLine: Int? { isComplete ? nil : transcript.lines[position].number }

  /// The messages to send now, in order; each is given once.
  /// - Throws: ``Mismatch`` when one needs a value that nothing has captured.
  public mutating func due() throws(Mismatch) -> [String] {
    var texts: [String] = []
    while position < transcript.lines.count {
      let line = transcript.lines[position]
      switch line.step {
      case .expect: return texts
      case .allow(let pattern): allowed.append(pattern)
      case .send(let text):
        guard let filled = matcher.substituting(into: text) else {
          throw Mismatch(line: line.number, path: "", expected: "captured values", actual: "none", message: text)
        }
        texts.append(filled)
      }
      position += 1
    }
    return texts
  }

  /// Judges a message of the service's: the awaited one is tried first, then those that may come any number of times.
  /// Nothing may come while a message is ``due()``.
  /// - Throws: ``Mismatch`` when it fits none of them.
  public mutating func receive(_ message: JSONValue) throws(Mismatch) {
    var difference: TranscriptMatcher.Difference?
    if position < transcript.lines.count, case .expect(let pattern) = transcript.lines[position].step {
      do {
        try matcher.match(message, pattern)
        position += 1
        allowed = []
        return
      } catch {
        difference = error
      }
    }
    for pattern in allowed where (try? matcher.match(message, pattern)) != nil { return }
    throw Mismatch(
      line: awaitedLine, path: difference?.path ?? "", expected: difference?.expected ?? "no message",
      actual: difference?.actual ?? "one", message: String(decoding: message.serialized(), as: UTF8.self))
  }
}
