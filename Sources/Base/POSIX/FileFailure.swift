import Glibc

/// A system call on a file that failed.
package struct FileFailure: Error, Equatable {
  /// The attempted operation, such as "write to".
  package var operation: String
  package var path: String
  /// The `errno` of the call.
  package var code: Int32

  package init(operation: String, path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// True when there is no space or no quota left.
  package var isStorageFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

  /// True when the file does not exist.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// True when this process, or the system, cannot open any more files.
  package var isOutOfDescriptors: Bool { SystemError.isOutOfDescriptors(code) }

  /// The system's message for the code, such as "Permission denied".
  package var reason: String { String(cString: strerror(code)) }

  package var sentence: String { "Could not \(operation) \(path): \(reason)." }
}
