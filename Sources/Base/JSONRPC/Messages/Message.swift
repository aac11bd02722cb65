import JSON

/// A JSON value interpreted as a JSON-RPC 2.0 message.
enum IncomingMessage: Equatable {
  case request(Request)
  case notification(Notification)
  case response(Response)
  /// Not a valid message; must be answered with this response.
  case invalid(Response)
  /// Needs no action and no answer: a notification with positional parameters, or an unusable response.
  case ignored
}

extension IncomingMessage {
  /// Classifies one message; batches must be split beforehand.
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

  /// An invalid response is ignored: answering it could make two peers answer each other for ever.
  private static func response(_ object: JSONObject) -> IncomingMessage {
    guard let id = RequestID(object["id"]) else { return .ignored }
    if let error = object["error"], !error.isNull {
      return .response(Response(id: id, error: ResponseError(error) ?? .internalError))
    }
    return .response(Response(id: id, result: .success(object["result"] ?? .null)))
  }
}

/// A call that expects an answer.
public struct Request: Sendable, Equatable {
  public var id: RequestID
  public var method: String
  /// The parameters by name; empty when there are none.
  public var params: JSONObject

  public init(id: RequestID, method: String, params: JSONObject = [:]) {
    self.id = id
    self.method = method
    self.params = params
  }
}

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

/// The answer to a request; each request gets exactly one.
public struct Response: Sendable, Equatable {
  /// Nil when the id of the request could not be determined (JSON-RPC 2.0 section 5).
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
