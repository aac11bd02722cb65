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

  /// What the limits of addresses count.
  enum Counted: Sendable { case request, photo }

  let method: HTTPRequest.Method
  /// Below `/api/v1`, with parameters in braces.
  let path: String
  let access: Access
  /// The method of the protocol behind it; nil for what only the host has.
  let message: (any RequestMessage.Type)?
  /// The parameters of the path that are members of the message, by these.
  let names: [String: String]
  let description: RouteDescription
  /// What the limits of addresses count it as; nil for what is not counted.
  var counted: Counted?
  /// What whoever has ended their own session or account with this request is answered when it comes once more; nil where
  /// the request ends neither, or this is not how theirs ended.
  var repetition: @Sendable (EndedVisitor, WebHost) async throws -> Response? = { _, _ in nil }
  let answer: @Sendable (Call) async throws -> Response

  /// A path with an answer of its own.
  /// - Parameter message: the method of the protocol behind it.
  init(
    _ method: HTTPRequest.Method, _ path: String, _ access: Access = .session, message: (any RequestMessage.Type)? = nil,
    _ description: RouteDescription, answer: @escaping @Sendable (Call) async throws -> Response
  ) {
    (self.method, self.path, self.access, self.message, self.names) = (method, path, access, message, [:])
    (self.description, self.answer) = (description, answer)
  }

  /// A method of the protocol: the params come from the path, and from the query or the body.
  /// - Parameters:
  ///   - names: the parameters of the path, by the members that they are.
  ///   - ownAccount: whether the account of the session is one of the params.
  ///   - own: further params that the host sets.
  init<Message: RequestMessage>(
    _ method: HTTPRequest.Method, _ path: String, _ type: Message.Type, _ access: Access = .session,
    _ names: [String: String] = [:], ownAccount: Bool = true, own: JSONObject = [:], status: HTTPResponse.Status = .ok
  ) {
    (self.method, self.path, self.access, self.message, self.names) = (method, path, access, type, names)
    description = RouteDescription(status: status, own: own.keys)
    answer = { call in
      var params = method == .get || method == .delete ? call.query() : try await call.object()
      try Params.check(params)
      for (member, name) in names { params[member] = .string(try call.parameter(name)) }
      if ownAccount { params["account"] = .string(call.account.rawValue) }
      for (name, value) in own { params[name] = value }
      let message = try Params.message(Message.self, params)
      return .json(try call.json(try await call.studio.send(message)), status)
    }
  }

  func counted(as kind: Counted) -> Route {
    var route = self
    route.counted = kind
    return route
  }

  func repeated(as repetition: @escaping @Sendable (EndedVisitor, WebHost) async throws -> Response?) -> Route {
    var route = self
    route.repetition = repetition
    return route
  }
}

/// What the document of the interface says of a route, besides what the protocol says of its method.
struct RouteDescription: Sendable {
  /// What comes back.
  enum Returned: Sendable {
    /// The result of the method.
    case result
    /// JSON that only the host has, or bytes of another kind.
    case json, nothing, picture, events, archive
  }

  /// What it does, in a sentence; nil for what the method does.
  var summary: String?
  var returned = Returned.result
  var status = HTTPResponse.Status.ok
  /// Members of the params that the host sets.
  var own: [String] = []
  /// The members of the query that are passed on; nil for all of the method.
  var query: [String]?
  /// The members of the body, with what they are; nil for the params of the method.
  var body: [(name: String, meaning: String, isRequired: Bool)]?
  /// Whether the body is the bytes of a photo.
  var takesPhoto = false
}

extension Response {
  static func json(_ value: JSONValue, _ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
    var headers = headers
    headers[.contentType] = "application/json"
    headers[.cacheControl] = "no-store"
    let body = ResponseBody(byteBuffer: ByteBuffer(bytes: value.serialized()))
    return Response(status: status, headers: headers, body: body)
  }

  /// The same without its body, for HEAD: with its length only where that is known before it is sent.
  var withoutBody: Response {
    guard body.contentLength == nil else { return createHeadResponse() }
    return Response(status: status, headers: headers, body: ResponseBody { try await $0.finish(nil) })
  }

  /// The bytes of a picture, which browsers keep nowhere.
  static func picture(_ bytes: [UInt8], _ mediaType: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: mediaType, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
