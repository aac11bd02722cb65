/// A service ended without saying what was awaited.
public struct ServiceSilence: Error, CustomStringConvertible {
  public var awaited: String
  /// What it wrote to its standard error.
  public var errors: String

  public var description: String { "The service ended without \(awaited). Its standard error: \(errors)" }
}
