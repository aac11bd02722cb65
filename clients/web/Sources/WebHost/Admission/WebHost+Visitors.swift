import AtelierClient
import Encodings
import HTTPTypes
import Hummingbird
import NIOCore

/// Who asks, and whether they may.
extension WebHost {
  /// Whether a request may come in at all: for our address, over TLS where that is wanted, and writing only from our pages.
  /// - Throws: `host_refused`, `origin_refused`, `tls_required`.
  func check(_ request: Request, _ context: WebContext) throws(WebError) {
    let present = try present
    // Checked where they are answered: a monitor knows the machine by other names.
    if options.shop != nil, Operations.isOperation(request.uri.path) { return }
    try present.guardian.checkHost(request)
    if let shop = options.shop, shop.origin.isSecure,
      !ClientAddress(request, peer: context.peer, trusted: shop.trustedProxies).isSecure
    {
      throw WebError(403, "tls_required", "This host is reached over https only.")
    }
    // A token says who asks: no other site can make a browser send it.
    if Self.token(of: request) != nil, options.shop != nil { return }
    // A processor of payments is no page; its signature is checked instead.
    if request.uri.path == "\(Interface.base)/payments" { return }
    try present.guardian.checkOrigin(request)
  }

  /// What is said to those who have no session.
  var notAdmitted: WebError { options.shop == nil ? .notAdmitted : .signInFirst }

  /// Where a request comes from, as limits count it; empty in the personal way.
  func network(of request: Request, _ context: WebContext) -> String {
    guard let shop = options.shop else { return "" }
    return ClientAddress(request, peer: context.peer, trusted: shop.trustedProxies).network
  }

  func visitor(of request: Request, _ context: WebContext) async throws -> Visitor? {
    try await visitor(of: request, network: network(of: request, context))
  }

  /// Who sends a request: by its token or its cookie; nil for nobody.
  /// - Throws: `invalid_identity` for a token that proves nobody.
  func visitor(of request: Request, network: String) async throws -> Visitor? {
    let now = surroundings.now()
    if let token = Self.token(of: request), options.shop != nil {
      let account = try await bearers.account(of: token, try await services.studio(options.language), at: now)
      return Visitor(account: account, isGuest: false, network: network)
    }
    guard
      let session = try present.cookies.session(
        inHeader: request.headers[.cookie], now: now.milliseconds / 1000)
    else { return nil }
    guard options.shop != nil else { return Visitor(account: session.account, isGuest: false, network: network) }
    let studio = try await services.studio(options.language)
    let claimed: Standings.Standing = session.isGuest ? .guest : .signedIn
    switch (session.isGuest, try await standings.standing(of: session.account, claimed: claimed, studio, at: now)) {
    // Whoever has the cookie of a guest is not the person who has signed in since then.
    case (true, .signedIn): return nil
    // The account was deleted meanwhile: what it begins anew, a guest begins.
    case (_, let standing): return Visitor(account: session.account, isGuest: standing == .guest, network: network)
    }
  }

  private static func token(of request: Request) -> String? {
    guard let header = request.headers[.authorization], header.lowercased().hasPrefix("bearer ") else { return nil }
    return String(header.dropFirst(7))
  }

  /// Counts a request where the limits of addresses count it.
  /// - Throws: `rate_limited`.
  func limit(_ route: Route, _ call: Call) async throws(WebError) {
    guard options.shop != nil, let kind = route.counted else { return }
    try await limits.count(limited(kind, call), from: call.visitor.network, at: surroundings.now())
  }

  private func limited(_ kind: Route.Counted, _ call: Call) -> RequestLimits.Kind {
    switch kind {
    case .photo: .photos
    case .request: call.visitor.isGuest ? .guestRequests : .requests
    }
  }

  /// Does not count a request after all, because nothing came of it.
  func giveBack(_ route: Route, _ call: Call) async {
    guard options.shop != nil, let kind = route.counted else { return }
    await limits.giveBack(limited(kind, call), to: call.visitor.network)
  }

  /// The account of somebody who begins without signing in.
  /// - Throws: `permission_denied` where guests are not wanted; `rate_limited`.
  func newGuest(_ call: Call) async throws(WebError) -> AccountID {
    guard options.shop?.allowsGuests == true else {
      throw WebError(403, ErrorKind.permissionDenied.rawValue, "Please sign in first.")
    }
    try await limits.count(.guests, from: call.visitor.network, at: surroundings.now())
    return guestName()
  }

  func guestName() -> AccountID { AccountID(rawValue: "guest-\(Hexadecimal.text(surroundings.random(16)))") }
}
