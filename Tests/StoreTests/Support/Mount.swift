import Foundation
import Glibc

/// A small file system of its own, for what only a full or read-only disk shows.
final class Mount: Sendable {
  let path: String

  /// - Returns: nil when this process may not mount.
  init?(bytes: Int) throws {
    var template = Array("/tmp/atelier-disk-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard Self.run("/bin/mount", ["-t", "tmpfs", "-o", "size=\(bytes),mode=0700", "tmpfs", path]) else {
      rmdir(path)
      return nil
    }
  }

  deinit {
    _ = Self.run("/bin/umount", ["-l", path])
    rmdir(path)
  }

  /// Waits for the files that are still open for writing: a store lets go of its last ones after it was closed.
  func makeReadOnly() async throws {
    while !Self.run("/bin/mount", ["-o", "remount,ro", path]) {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  /// True where these tests can run: mounting is for root, and not in every container.
  static let isPermitted: Bool = {
    guard geteuid() == 0, let mount = try? Mount(bytes: 65_536) else { return false }
    return withExtendedLifetime(mount) { true }
  }()

  private static func run(_ program: String, _ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
