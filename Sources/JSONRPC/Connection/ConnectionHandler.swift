/// Whoever gives requests a meaning. Called on the reader's thread, in the order of arrival; must never block.
public protocol ConnectionHandler: Sendable {
  func receive(_ request: Request, on connection: Connection) -> Disposition

  /// `$/cancelRequest` is handled by the connection and not seen here. Unknown notifications are to be ignored.
  func receive(_ notification: Notification, on connection: Connection)

  /// What to answer a request that came while the most requests allowed were in flight.
  func overloaded(_ request: Request) -> ResponseError

  /// The input has ended, before what is in flight is finished or cancelled.
  /// - Parameter hasReader: false when nobody is left to read answers; everything in flight is then cancelled.
  func inputEnded(hasReader: Bool)
}

extension ConnectionHandler {
  public func receive(_ notification: Notification, on connection: Connection) {}
  public func overloaded(_ request: Request) -> ResponseError {
    ResponseError(code: 503, message: "Too many requests are in flight; wait for some to be answered.")
  }
  public func inputEnded(hasReader: Bool) {}
}
