import AtelierClient
import HTTPTypes
import Hummingbird
import JSON
import NIOCore

/// One method and path of the interface, and what answers it.
struct Route: Sendable {
  /// Who may use it.
  enum Access: Sendable {
    /// Everybody, also without a session.
    case everybody
    case session
    /// The person at this machine, in the personal way.
    case personal
    /// Everybody, also without a session, in the public way.
    case shop
  }

  let method: HTTPRequest.Method
  /// Below `/api/v1`, with parameters in braces.
  let path: String
  let access: Access
  /// The method of the protocol behind it; nil for what only the host has.
  let message: (any RequestMessage.Type)?
  /// What the limits of addresses count it as; nil for what is not counted.
  var counted: Counted?
  let answer: @Sendable (Call) async throws -> Response

  /// What is counted.
  enum Counted: Sendable { case request, photo }

  func counted(as kind: Counted) -> Route {
    var route = self
    route.counted = kind
    return route
  }

  init(
    _ method: HTTPRequest.Method, _ path: String, _ access: Access = .session, message: (any RequestMessage.Type)? = nil,
    answer: @escaping @Sendable (Call) async throws -> Response
  ) {
    (self.method, self.path, self.access, self.message, self.answer) = (method, path, access, message, answer)
  }

  /// A method of the protocol: the params come from the path, and from the query or the body.
  /// - Parameters:
  ///   - names: the parameters of the path, by the members that they are.
  ///   - own: params that the host adds.
  init<Message: RequestMessage>(
    _ method: HTTPRequest.Method, _ path: String, _ type: Message.Type, _ access: Access = .session,
    _ names: [String: String] = [:], ownAccount: Bool = true, own: JSONObject = [:], status: HTTPResponse.Status = .ok
  ) {
    self.init(method, path, access, message: type) { call in
      var params = method == .get || method == .delete ? call.query() : try await call.object()
      try Params.check(params)
      for (member, name) in names { params[member] = .string(try call.parameter(name)) }
      if ownAccount { params["account"] = .string(call.account.rawValue) }
      for (name, value) in own { params[name] = value }
      let message = try Params.message(Message.self, params)
      return .json(try Params.json(try await call.studio.send(message)), status)
    }
  }
}

extension Response {
  static func json(_ value: JSONValue, _ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
    var headers = headers
    headers[.contentType] = "application/json"
    headers[.cacheControl] = "no-store"
    let body = ResponseBody(byteBuffer: ByteBuffer(bytes: value.serialized()))
    return Response(status: status, headers: headers, body: body)
  }

  /// The bytes of a picture, which browsers keep nowhere.
  static func picture(_ bytes: [UInt8], _ mediaType: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: mediaType, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
