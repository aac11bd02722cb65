import Foundation
import Support
import Synchronization
import Testing

@testable import Store

/// What a kill at each moment would leave of a data directory: copies of its files as they stand.
final class CrashCopies: Sendable {
  private let directory: DataDirectory
  private let temporary: TemporaryDirectory?
  private let number = Mutex(0)

  init(of directory: DataDirectory) {
    self.directory = directory
    temporary = try? TemporaryDirectory()
  }

  var count: Int { number.withLock { $0 } }

  func copy() {
    guard let temporary else { return }
    let path = number.withLock { number in
      number += 1
      return "\(temporary.path)/\(number)"
    }
    // By another process: closing a file drops the locks that this one's SQLite holds on it. The index of the log is
    // left out, for it would be as that process had it in memory.
    let program = Process()
    program.executableURL = URL(fileURLWithPath: "/bin/sh")
    program.arguments = ["-c", "cp -Rp \"$0\" \"$1\" && rm -f \"$1\"/atelier.sqlite-shm", directory.path, path]
    try? program.run()
    program.waitUntilExit()
  }

  func all() throws -> [String] {
    let root = try #require(temporary).path
    let paths = (1...max(1, count)).map { "\(root)/\($0)" }
    for path in paths { #expect(FileManager.default.fileExists(atPath: "\(path)/atelier.sqlite")) }
    return paths
  }
}
