/// A call that expects an answer.
public struct Request: Sendable, Equatable {
  public var id: RequestID
  public var method: String
  /// The parameters by name; empty when the call has none.
  public var params: JSONObject

  public init(id: RequestID, method: String, params: JSONObject = [:]) {
    self.id = id
    self.method = method
    self.params = params
  }
}
