import Foundation
import Synchronization

/// Lines of what another process writes.
final class LineReader: Sendable {
  private let handle: FileHandle
  private let buffer = Mutex<[UInt8]>([])

  init(_ handle: FileHandle) {
    self.handle = handle
  }

  /// Blocks until there is a line.
  /// - Returns: nil at the end.
  func next() -> String? {
    buffer.withLock { buffer in
      while true {
        if let end = buffer.firstIndex(of: 10) {
          defer { buffer.removeFirst(end + 1) }
          return String(decoding: buffer[..<end], as: UTF8.self)
        }
        let more = handle.availableData
        if more.isEmpty { return nil }
        buffer += more
      }
    }
  }
}
