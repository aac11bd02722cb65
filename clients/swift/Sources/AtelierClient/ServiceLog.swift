import POSIX
import Synchronization

/// The last lines of what the service writes to its standard error.
final class ServiceLog: Sendable {
  private static let mostLines = 40
  /// A longer line is cut: a program that never ends its line must not fill the memory.
  private static let mostLineBytes = 8 << 10

  private struct State {
    var lines: [String] = []
    var unfinished: [UInt8] = []
  }

  private let state = Mutex(State())
  private let receive: (@Sendable (String) -> Void)?
  /// Fulfilled once nothing more can come.
  let ended = Promise<Void>()

  /// - Parameter receive: called with each line, on a thread of its own.
  init(_ receive: (@Sendable (String) -> Void)?) { self.receive = receive }

  /// The lines, oldest first.
  var lines: [String] { state.withLock { $0.lines } }

  /// Reads on a thread of its own until the end, and closes the descriptor.
  func read(from descriptor: consuming FileDescriptor) throws(SystemError) {
    let input = Descriptor(descriptor.released())
    try DedicatedThread.start { [self] in
      var buffer = [UInt8](repeating: 0, count: 1 << 12)
      while let count = try? BlockingIO.readSome(into: &buffer, from: input.number), count > 0 {
        add(buffer[..<count])
      }
      add([UInt8(ascii: "\n")])
      ended.fulfil(())
    }
  }

  private func add(_ bytes: ArraySlice<UInt8>) {
    for text in state.withLock({ Self.complete(&$0, with: bytes) }) { receive?(text) }
  }

  private static func complete(_ state: inout State, with bytes: ArraySlice<UInt8>) -> [String] {
    var lines: [String] = []
    var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let rest = parts.removeLast()
    for part in parts {
      state.unfinished += part
      if !state.unfinished.isEmpty { lines.append(String(decoding: state.unfinished.prefix(mostLineBytes), as: UTF8.self)) }
      state.unfinished = []
    }
    state.unfinished += rest.prefix(max(0, mostLineBytes - state.unfinished.count))
    state.lines = Array((state.lines + lines).suffix(mostLines))
    return lines
  }
}
