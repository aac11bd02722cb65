/// A complete response, whatever its status.
public struct HTTPResponse: Sendable {
  public var status: Int
  /// The fields of the final response, in order.
  public var headers: [HTTPHeader]
  /// Empty when the request asked for its pieces as they come (``HTTPTransferEvent/received(_:)``).
  public var body: [UInt8]

  public init(status: Int, headers: [HTTPHeader], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first field of that name, whatever its case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
