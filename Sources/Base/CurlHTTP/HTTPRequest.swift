/// One HTTP request.
public struct HTTPRequest: Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
  }

  public var method: Method
  /// Absolute; `https`, or `http` to this machine's loopback addresses. Never logged: it may contain a query.
  public var url: String
  /// Sent unchanged, in order. They may contain a key, so they are never logged and never sent to the target of a
  /// redirect.
  public var headers: [HTTPHeader]
  /// Nil sends no body.
  public var body: [UInt8]?
  public var limits: HTTPLimits

  public init(
    _ method: Method, _ url: String, headers: [HTTPHeader] = [], body: [UInt8]? = nil, limits: HTTPLimits = HTTPLimits()
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.limits = limits
  }
}
