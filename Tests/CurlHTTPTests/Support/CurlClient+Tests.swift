import CurlHTTP

extension CurlClient {
  /// A client that no proxy of the machine's environment disturbs.
  convenience init() { self.init(CurlSettings(proxy: .none)) }
}

extension HTTPLimits {
  /// So large that only a test that hangs meets it.
  static let generous = HTTPLimits(total: .seconds(50), connect: .seconds(50), stall: .seconds(50))
}

extension HTTPRequest {
  /// A host that has no address. The resolver asks nobody, because a part of a name has at most 63 characters.
  static let unresolvableHost = "provider" + String(repeating: "0", count: 60) + ".invalid"
}

extension CurlClient {
  /// Nil when the request fails for that cause.
  func perform(_ request: HTTPRequest, orNil cause: HTTPError.Cause) async throws -> HTTPResponse? {
    do {
      return try await perform(request)
    } catch let error as HTTPError where error.cause == cause {
      return nil
    }
  }
}
