import HTTPTypes
import Hummingbird

/// Which addresses are this host's, and which requests may come from where.
struct RequestGuard: Sendable {
  /// The values of `Host` that are ours. Any other one is a name that somebody has pointed at this machine (DNS rebinding).
  let hosts: Set<String>
  /// The origins of our own pages.
  let origins: Set<String>

  /// Of several headers `Host`, each reader may believe another (RFC 9112, 3.2).
  /// - Throws: `invalid_request`.
  static func checkSingleHost(_ request: Request) throws(WebError) {
    // The first one is the authority, and no field any more.
    guard request.headers[.host] == nil else { throw .severalHosts }
  }

  /// - Throws: `host_refused`.
  func checkHost(_ request: Request) throws(WebError) {
    guard let host = request.head.authority?.lowercased(), hosts.contains(host) else { throw .hostRefused }
  }

  /// - Throws: `origin_refused`.
  func checkOrigin(_ request: Request) throws(WebError) {
    switch request.method {
    case .get, .head: try checkReading(request)
    default: try checkWriting(request)
    }
  }

  /// A page of another site may lead people here, but read nothing.
  private func checkReading(_ request: Request) throws(WebError) {
    guard let site = request.headers[.secFetchSite] else { return }
    let isNavigation = request.headers[.secFetchMode] == "navigate" && request.headers[.secFetchDest] == "document"
    guard site == "same-origin" || site == "none" || isNavigation else { throw .originRefused }
  }

  /// Writing is for our own pages only. A browser says where a request comes from; `null` is nobody.
  private func checkWriting(_ request: Request) throws(WebError) {
    guard let origin = request.headers[.origin], origins.contains(origin) else { throw .originRefused }
    if let site = request.headers[.secFetchSite], site != "same-origin" { throw .originRefused }
  }
}

extension HTTPField.Name {
  static let host = HTTPField.Name("Host") ?? .eTag
  static let secFetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .eTag
  static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode") ?? .eTag
  static let secFetchDest = HTTPField.Name("Sec-Fetch-Dest") ?? .eTag
}
