import Foundation
import Glibc

/// A new folder that is gone with the value.
final class Folder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/atelier-faults-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Makes a folder in it.
  /// - Returns: its path.
  func folder(_ name: String, permissions: mode_t = 0o700) throws -> String {
    let made = "\(path)/\(name)"
    guard mkdir(made, permissions) == 0 || errno == EEXIST else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    chmod(made, permissions)
    return made
  }

  /// Writes a file in it.
  /// - Returns: its path.
  @discardableResult
  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = "\(path)/\(name)"
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }
}

/// The files of Tests/Fixtures.
enum Fixture {
  static func path(_ name: String) -> String {
    let tests = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    return "\(tests)/Fixtures/\(name)"
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }
}
