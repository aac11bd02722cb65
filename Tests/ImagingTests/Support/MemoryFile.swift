import Glibc
import POSIX

@testable import Imaging

/// Bytes that can be read from a descriptor.
struct MemoryFile: ~Copyable {
  let number: Int32

  init(_ bytes: [UInt8]) throws {
    var path = Array("/tmp/atelier-test-XXXXXX".utf8CString)
    number = mkstemp(&path)
    guard number >= 0 else { throw SystemError(code: errno, operation: "create a file") }
    unlink(path)
    try BlockingIO.write(bytes, to: number)
    lseek(number, 0, SEEK_SET)
  }

  deinit { close(number) }
}
