import JSONRPC

extension ErrorBody {
  /// The error as the answer to a request.
  public var responseError: ResponseError {
    ResponseError(code: code, message: message, data: data.json)
  }
}

extension ErrorBody.Data {
  /// The members in the order of PROTOCOL 6. Written by hand because it cannot fail, as an encoder may.
  var json: JSONValue {
    var members: JSONObject = ["kind": .string(kind), "retryable": .bool(retryable)]
    if let retryAfterMs { members["retryAfterMs"] = .number(JSONNumber(retryAfterMs)) }
    if let generationId { members["generationId"] = .string(generationId.rawValue) }
    if let provider { members["provider"] = .string(provider.rawValue) }
    if let requestId { members["requestId"] = requestId }
    members["timestamp"] = .string(timestamp.text)
    members["details"] = .object(details)
    return .object(members)
  }
}
