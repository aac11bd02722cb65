import Foundation
import Glibc
import Support

/// A small file system of its own: what only a full or read-only disk shows.
final class SmallDisk: Sendable {
  let path: String
  private let folder: TemporaryDirectory

  /// - Throws: when this process may not mount; see ``isPermitted``.
  init(bytes: Int) throws {
    folder = try TemporaryDirectory()
    path = try folder.makeFolder("disk")
    guard Self.run("/bin/mount", ["-t", "tmpfs", "-o", "size=\(bytes),mode=0700", "tmpfs", path]) else {
      throw POSIXError(.EPERM)
    }
  }

  deinit { _ = Self.run("/bin/umount", ["-l", path]) }

  @discardableResult
  func resize(bytes: Int) -> Bool { Self.run("/bin/mount", ["-o", "remount,size=\(bytes)", path]) }

  /// Leaves no room for a single byte.
  func fill() {
    let descriptor = open("\(path)/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let zeros = [UInt8](repeating: 0, count: 512)
    while write(descriptor, zeros, zeros.count) > 0 {}
  }

  @discardableResult
  func makeReadOnly(_ isReadOnly: Bool) -> Bool {
    Self.run("/bin/mount", ["-o", isReadOnly ? "remount,ro" : "remount,rw", path])
  }

  /// Mounting is for root, and not in every container.
  static let isPermitted: Bool = (try? SmallDisk(bytes: 65_536)) != nil

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
