import Foundation
import Glibc

/// A new empty directory, gone with the value.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/atelier-store-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    // A store that is released at this moment removes its own files as its connections close, which can be in the way.
    for _ in 0..<8 where FileManager.default.fileExists(atPath: path) {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// The paths of all regular files below `part`, from this directory on.
  func files(below part: String = "") -> [String] {
    let root = part.isEmpty ? path : "\(path)/\(part)"
    let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      var status = stat()
      return lstat("\(root)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }.sorted()
  }
}

/// The permission bits of `path`, without following a link.
func permissions(of path: String) -> mode_t? {
  var status = stat()
  return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
}

func contents(of path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
