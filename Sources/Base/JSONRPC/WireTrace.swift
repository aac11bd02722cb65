import Encodings
import Glibc
import JSON
import POSIX

/// Logs both directions of a connection to a file: one message per line, `-->` for incoming and `<--` for outgoing
/// messages, as in transcripts.
///
/// Only data known to be harmless is written (see ``TraceVocabulary``), so that a trace can be shared.
/// Recording never blocks: a dedicated thread writes, and when the disk is too slow, messages are dropped and
/// counted.
public final class WireTrace: Sendable {
  public enum Direction: String, Sendable {
    case incoming = "-->"
    case outgoing = "<--"
  }

  private struct State: Sendable {
    var lines: [UInt8] = []
    var omitted = 0
    var isFinished = false
  }

  /// The maximum number of bytes waiting to be written.
  private static let maximumWaitingBytes = 4 << 20

  private let file: Descriptor
  private let redaction: TraceRedaction
  private let state = Monitor(State())
  private let ended = Promise<Void>()

  /// Appends to the file at `path`, which is created with mode 0600.
  /// - Parameter vocabulary: what may be written besides numbers, Booleans and the structure of messages.
  /// - Throws: ``SystemError`` when the file cannot be opened.
  public init(path: String, vocabulary: TraceVocabulary = TraceVocabulary()) throws(SystemError) {
    let number = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { throw .last("open the trace file \(path)") }
    file = Descriptor(number)
    redaction = TraceRedaction(vocabulary: vocabulary)
    // An existing file may have been accessible to other users.
    guard fchmod(number, 0o600) == 0 else { throw .last("protect the trace file \(path)") }
    try DedicatedThread.start { [self] in write() }
  }

  /// Stops recording and writes everything recorded so far.
  public func finish() async {
    state.withLock { $0.isFinished = true }
    state.wakeAll()
    _ = await ended.value()
  }

  func record(_ message: JSONValue, direction: Direction) {
    var line = Array("\(direction.rawValue) ".utf8)
    line += redaction.redacted(message, isOurs: direction == .outgoing).serialized()
    append(line)
  }

  func record(_ response: Response) { record(response.json, direction: .outgoing) }

  func recordCall(_ method: String, id: RequestID?, params: JSONValue, direction: Direction) {
    var object: JSONObject = ["jsonrpc": "2.0"]
    object["id"] = id?.json
    object["method"] = .string(method)
    if !params.isNull { object["params"] = params }
    record(.object(object), direction: direction)
  }

  /// Records that incoming data was not a message; the bytes themselves could be anything and are not written.
  func recordUnreadable(_ description: String) { append(Array("# unreadable: \(description)".utf8)) }

  private func append(_ line: [UInt8]) {
    state.withLock { state in
      guard !state.isFinished else { return }
      guard state.lines.count + line.count <= Self.maximumWaitingBytes else {
        state.omitted += 1
        return
      }
      if state.omitted > 0 {
        state.lines += Array("# \(state.omitted) messages are left out here\n".utf8)
        state.omitted = 0
      }
      state.lines += line
      state.lines.append(ASCII.lineFeed)
    }
    state.wakeAll()
  }

  private func write() {
    while let lines = nextLines() { writeAll(lines) }
    ended.fulfil(())
  }

  private func nextLines() -> [UInt8]? {
    state.wait { state -> [UInt8]?? in
      guard !state.lines.isEmpty else { return state.isFinished ? .some(nil) : nil }
      defer { state.lines = [] }
      return state.lines
    }
  }

  /// If the disk is full, the remaining bytes are lost from the trace; nothing else fails.
  private func writeAll(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // The region is valid during the call, and `write` reads no more than its length.
      let count = rest.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return }
      rest = rest.dropFirst(max(count, 0))
    }
  }
}
