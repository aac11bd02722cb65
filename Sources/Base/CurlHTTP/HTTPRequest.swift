/// One HTTP request.
public struct HTTPRequest: Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    /// Has a response without a body.
    case head = "HEAD"
  }

  public var method: Method
  /// Absolute; `https`, or `http` to this machine's loopback addresses. Never logged: it may contain a query.
  public var url: String
  /// Whether `http` may go to other machines as well, where whoever is on the way reads and alters it.
  public var mayBePlain: Bool
  /// Sent unchanged, in order. They may contain a key, so they are never logged and never sent to the target of a
  /// redirect.
  public var headers: [HTTPHeader]
  /// Nil sends no body.
  public var body: [UInt8]?
  public var limits: HTTPLimits

  public init(
    _ method: Method, _ url: String, mayBePlain: Bool = false, headers: [HTTPHeader] = [], body: [UInt8]? = nil,
    limits: HTTPLimits = HTTPLimits()
  ) {
    self.method = method
    self.url = url
    self.mayBePlain = mayBePlain
    self.headers = headers
    self.body = body
    self.limits = limits
  }
}
