/// A message that expects no answer.
public struct Notification: Sendable, Equatable {
  public var method: String
  /// The parameters by name; empty when there are none.
  public var params: JSONObject

  public init(method: String, params: JSONObject = [:]) {
    self.method = method
    self.params = params
  }
}
