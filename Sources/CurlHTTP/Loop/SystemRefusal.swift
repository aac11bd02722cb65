import Glibc

/// A refusal by the operating system.
struct SystemRefusal: Error, CustomStringConvertible {
  /// What was wanted, to follow "could not": "start a thread".
  var operation: String
  var code: Int32

  var description: String { "Could not \(operation): error \(code)." }

  /// The refusal of the C call that has just failed.
  static func last(_ operation: String) -> SystemRefusal { SystemRefusal(operation: operation, code: errno) }
}
