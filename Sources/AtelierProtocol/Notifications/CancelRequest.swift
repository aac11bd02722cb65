import JSONRPC

/// `$/cancelRequest`: cancels the request with that id; it is answered all the same, exactly once.
public struct CancelRequest: NotificationMessage {
  public static let method = "$/cancelRequest"

  /// The id of the request, as it was sent: a string or a number.
  public var id: JSONValue

  public init(id: JSONValue) {
    self.id = id
  }
}

extension CancelRequest: SchemaDescribed {
  public static let summary = "Cancels the request with that id; it is answered all the same, exactly once."

  public static let members = [
    "id": "The id of the request, as it was sent: a string or a number."
  ]
}
