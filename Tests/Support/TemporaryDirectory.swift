import Foundation
import Glibc
import Synchronization

/// A new empty directory, gone with the value, or with the process.
public final class TemporaryDirectory: Sendable {
  public let path: String

  private static let all = Mutex<Set<String>>([])
  /// Something may hold a value for as long as the process lives, such as a task that waits.
  private static let cleaning: Void = {
    atexit { TemporaryDirectory.all.withLock { $0 }.forEach(TemporaryDirectory.remove) }
  }()

  public init() throws {
    var template = Array("/tmp/atelier-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    Self.cleaning
    Self.all.withLock { _ = $0.insert(path) }
  }

  deinit {
    Self.remove(path)
    Self.all.withLock { _ = $0.remove(path) }
  }

  private static func remove(_ path: String) {
    // A store that is released at this moment removes its own files as its connections close, which can be in the way.
    for _ in 0..<8 where FileManager.default.fileExists(atPath: path) {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// The path of what has this name in it, or would have.
  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The paths of all regular files below `part`, from there on, in alphabetical order.
  public func files(below part: String = "") -> [String] {
    let root = part.isEmpty ? path : path(part)
    let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      var status = stat()
      return lstat("\(root)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }.sorted()
  }

  /// Makes a folder in it, unless it is there.
  /// - Returns: its path.
  @discardableResult
  public func makeFolder(_ name: String, permissions: mode_t = 0o700) throws -> String {
    let folder = path(name)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard chmod(folder, permissions) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    return folder
  }

  /// Writes a file in it.
  /// - Returns: its path.
  @discardableResult
  public func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  /// Removes something in it, with everything in that.
  public func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }
}
