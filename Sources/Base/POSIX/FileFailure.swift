import Encodings
import Glibc

/// A system call on a file that failed, or a file whose text is in another encoding.
package struct FileFailure: Error, Equatable {
  /// The attempted operation, such as "write to".
  package var operation: String
  package var path: String
  /// The `errno` of the call.
  package var code: Int32
  /// What the text of the file is in instead of UTF-8; nil where it is not about that.
  package var otherEncoding: SavedText.OtherEncoding?

  package init(operation: String, path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// - Parameter encoding: that of the text in the file `path`.
  package init(path: String, encoding: SavedText.OtherEncoding) {
    self.init(operation: "read", path: path, code: EILSEQ)
    otherEncoding = encoding
  }

  /// True when there is no space or no quota left.
  package var isStorageFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

  /// True when the file does not exist.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// True when this process, or the system, cannot open any more files.
  package var isOutOfDescriptors: Bool { SystemError.isOutOfDescriptors(code) }

  /// The system's message for the code, such as "Permission denied", or what the text is in.
  package var reason: String { otherEncoding.map { "it \($0.reason)" } ?? String(cString: strerror(code)) }

  package var sentence: String { "Could not \(operation) \(path): \(reason)." }
}
