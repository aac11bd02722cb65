/// The answer to a request: exactly one for each.
public struct Response: Sendable, Equatable {
  /// Nil when the request was too broken to tell (JSON-RPC 2.0 section 5).
  public var id: RequestID?
  public var result: Result<JSONValue, ResponseError>

  public init(id: RequestID?, result: Result<JSONValue, ResponseError>) {
    self.id = id
    self.result = result
  }

  public init(id: RequestID?, error: ResponseError) { self.init(id: id, result: .failure(error)) }

  /// The response as it goes on the wire.
  public var json: JSONValue {
    var object: JSONObject = ["jsonrpc": "2.0", "id": id?.json ?? .null]
    switch result {
    case .success(let result): object["result"] = result
    case .failure(let error): object["error"] = error.json
    }
    return .object(object)
  }
}
