import Foundation
import Glibc

/// A new empty directory, gone with the value.
public final class TemporaryDirectory: Sendable {
  public let path: String

  public init() throws {
    var template = Array("/tmp/atelier-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The paths of all regular files below `part`, from there on, in alphabetical order.
  public func files(below part: String = "") -> [String] {
    let root = part.isEmpty ? path : "\(path)/\(part)"
    let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      var status = stat()
      return lstat("\(root)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }.sorted()
  }

  /// Makes a folder in it.
  /// - Returns: its path.
  public func makeFolder(_ name: String) throws -> String {
    let folder = "\(path)/\(name)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Removes a folder of it, with everything in it.
  public func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(path)/\(name)")
  }
}
