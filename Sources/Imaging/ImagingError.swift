import AtelierProtocol
import JSONRPC

/// Why a picture could not be read, prepared or made.
public struct ImagingError: Error, Sendable, Equatable {
  public var kind: ErrorKind
  /// One sentence a person can act on; it never names paths of Atelier's own.
  public var message: String
  /// Facts for programs, such as `{"bytes": …, "maxBytes": …}`.
  public var details: JSONObject

  public init(_ kind: ErrorKind, _ message: String, details: JSONObject = [:]) {
    self.kind = kind
    self.message = message
    self.details = details
  }
}
