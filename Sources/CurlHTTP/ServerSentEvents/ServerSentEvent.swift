/// One event of an event stream (WHATWG HTML, 9.2).
public struct ServerSentEvent: Sendable, Equatable {
  /// "message" where the stream names none.
  public var type: String
  /// The lines of its data, joined with line feeds.
  public var data: String
  /// The identifier the stream gave last; empty when it gave none.
  public var lastID: String

  public init(type: String = "message", data: String, lastID: String = "") {
    self.type = type
    self.data = data
    self.lastID = lastID
  }
}
