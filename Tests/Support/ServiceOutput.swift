import Foundation
import Glibc
import JSON

/// What a service has written to its standard output.
public struct ServiceOutput: Sendable {
  /// Every message, in order of arrival.
  public var messages: [JSONValue] = []
  /// Lines that are no JSON: there must never be any.
  public var strayLines: [String] = []
  /// True when nothing more can come.
  public var isAtEnd = false

  /// The answer to a request.
  public func answer(to id: Int) -> JSONValue? {
    messages.first { $0["id"]?.int64 == Int64(id) && $0["method"] == nil }
  }
}

extension SharedState<ServiceOutput> {
  /// Reads lines to the end on a thread of its own, and closes the descriptor then.
  func fill(from descriptor: Int32) {
    Thread.detachNewThread { [self] in
      var rest: [UInt8] = []
      ServiceStream.read(descriptor) { bytes in
        rest += bytes
        let lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count > 1, let last = lines.last else { return }
        for line in lines.dropLast() { receive(Array(line)) }
        rest = Array(last)
      }
      // A service that is killed may leave a line unfinished: nobody was told that message.
      change { $0.isAtEnd = true }
    }
  }

  private func receive(_ line: [UInt8]) {
    if let message = try? JSONValue(parsing: line) {
      change { $0.messages.append(message) }
    } else {
      change { $0.strayLines.append(String(decoding: line, as: UTF8.self)) }
    }
  }
}

/// Reading a descriptor to its end.
enum ServiceStream {
  static func read(_ descriptor: Int32, _ receive: ([UInt8]) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      receive(Array(buffer[..<count]))
    }
    close(descriptor)
  }
}
