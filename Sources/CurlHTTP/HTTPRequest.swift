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

/// One header field of a request or a response.
public struct HTTPHeader: Sendable, Equatable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension HTTPHeader {
  /// Whether the name is a token (RFC 9110, 5.6.2) and the value one line without control characters, so that no field
  /// can inject another.
  var canBeSent: Bool {
    !name.isEmpty && name.utf8.allSatisfy(Self.isOfToken)
      && value.utf8.allSatisfy { $0 == UInt8(ascii: "\t") || ($0 >= 0x20 && $0 != 0x7F) }
  }

  private static func isOfToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  /// In libcurl's format: without the semicolon, libcurl treats a field with an empty value as a request to remove it.
  var line: String { value.allSatisfy { $0 == " " || $0 == "\t" } ? "\(name);" : "\(name): \(value)" }
}

/// The limits on the duration of a transfer and the size of its response.
public struct HTTPLimits: Sendable, Equatable {
  /// From the call to the last byte.
  public var total: Duration
  /// Until the connection is established, including TLS.
  public var connect: Duration
  /// The longest time without a byte moving while the request is sent or the response is received. It does not apply
  /// while the server works, which it may do for as long as ``total`` allows: between the end of the request and the
  /// first byte of the response, and between two events of an event stream.
  public var stall: Duration
  /// The maximum size of a response's body in bytes, decompressed.
  public var responseBytes: Int

  public init(
    total: Duration = .seconds(60), connect: Duration = .seconds(10), stall: Duration = .seconds(30),
    responseBytes: Int = 100 * 1_048_576
  ) {
    self.total = total
    self.connect = connect
    self.stall = stall
    self.responseBytes = responseBytes
  }
}
