import Glibc

/// A system call on a file that failed.
struct FileFailure: Error, Equatable {
  /// What was tried, as in "write to".
  var operation: String
  var path: String
  /// The `errno` of the call.
  var code: Int32

  /// True when there is no space or no quota left.
  var isStorageFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

  /// True when there is nothing of that name.
  var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// The system's words for the code, such as "Permission denied".
  var reason: String { String(cString: strerror(code)) }

  var sentence: String { "Could not \(operation) \(path): \(reason)." }
}
