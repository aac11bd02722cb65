/// What a JSON value means as a JSON-RPC 2.0 message.
enum IncomingMessage: Equatable {
  case request(Request)
  case notification(Notification)
  case response(Response)
  /// No valid message; to be answered with this.
  case invalid(Response)
  /// Nothing to do and nothing to answer: a notification with parameters by position, an unusable response.
  case ignored
}

extension IncomingMessage {
  /// Judges one message; a batch is taken apart before.
  init(_ value: JSONValue) {
    guard case .object(let object) = value else {
      self = .invalid(
        Response(id: nil, error: .invalidRequest("A message must be an object, not \(value.kindDescription).")))
      return
    }
    if object["method"] == nil, object["result"] != nil || object["error"] != nil {
      self = Self.response(object)
    } else {
      self = Self.call(object)
    }
  }

  private static func call(_ object: JSONObject) -> IncomingMessage {
    let writtenID = object["id"]
    let id = RequestID(writtenID)
    func invalid(_ message: String) -> IncomingMessage { .invalid(Response(id: id, error: .invalidRequest(message))) }

    guard object["jsonrpc"]?.string == "2.0" else { return invalid(#"The member "jsonrpc" must be "2.0"."#) }
    if writtenID != nil, id == nil {
      return invalid(#"The member "id" must be a string or a number, of at most \#(RequestID.maximumBytes) bytes."#)
    }
    guard let method = object["method"]?.string else { return invalid(#"The member "method" must be a string."#) }
    switch object["params"] {
    case nil, .null?: return call(id, method, [:])
    case .object(let params)?: return call(id, method, params)
    case .array(let params)? where params.isEmpty: return call(id, method, [:])
    case .array?:
      guard let id else { return .ignored }
      let message = "The parameters are given by name: params must be an object, not an array."
      return .invalid(
        Response(id: id, error: .invalidParams(path: "", expected: "an object", message: message)))
    default: return invalid(#"The member "params" must be an object."#)
    }
  }

  private static func call(_ id: RequestID?, _ method: String, _ params: JSONObject) -> IncomingMessage {
    if let id { return .request(Request(id: id, method: method, params: params)) }
    return .notification(Notification(method: method, params: params))
  }

  /// Answering a bad response would answer an answer, and two peers could do so for ever.
  private static func response(_ object: JSONObject) -> IncomingMessage {
    guard let id = RequestID(object["id"]) else { return .ignored }
    if let error = object["error"], !error.isNull {
      return .response(Response(id: id, error: ResponseError(error) ?? .internalError))
    }
    return .response(Response(id: id, result: .success(object["result"] ?? .null)))
  }
}
