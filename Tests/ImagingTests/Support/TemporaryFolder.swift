import Glibc
import JSONRPC

@testable import Imaging

/// A folder of its own for one test, gone with it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/atelier-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw SystemError(code: errno, operation: "create a folder") }
    path = String(cString: made)
  }

  deinit { Self.erase(path) }

  /// Links are removed, never followed.
  private static func erase(_ path: String) {
    // Of a folder, this removes an empty one only.
    if remove(path) == 0 { return }
    guard let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      // The name ends with a zero inside the entry, which stays as it is until the next call.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { erase("\(path)/\(name)") }
    }
    closedir(folder)
    remove(path)
  }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let descriptor = open(path(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError(code: errno, operation: "create a file") }
    let file = FileDescriptor(owning: descriptor)
    try BlockingIO.write(bytes, to: file.number)
    return path(name)
  }
}
