import Glibc

/// A system call that failed.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The `errno` value.
  public var code: Int32
  /// The attempted operation, phrased to follow "could not": "read the input".
  public var operation: String

  public init(code: Int32, operation: String) {
    self.code = code
    self.operation = operation
  }

  /// The error of the C call that has just failed.
  package static func last(_ operation: String) -> SystemError { SystemError(code: errno, operation: operation) }

  /// True when this process, or the system, cannot open any more files.
  package var isOutOfDescriptors: Bool { Self.isOutOfDescriptors(code) }

  package static func isOutOfDescriptors(_ code: Int32) -> Bool { code == EMFILE || code == ENFILE }

  public var description: String {
    var text = [CChar](repeating: 0, count: 128)
    let isKnown = strerror_r(code, &text, text.count) == 0
    let message =
      isKnown ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : "error \(code)"
    return "Could not \(operation): \(message)."
  }
}
