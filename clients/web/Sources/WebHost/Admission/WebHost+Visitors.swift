import AtelierClient
import Encodings
import HTTPTypes
import Hummingbird
import Localization
import NIOCore

/// Who asks, and whether they may.
extension WebHost {
  /// Whether a request may come in at all: for our address, over TLS where that is wanted, and writing only from our pages.
  /// - Throws: `invalid_request`, `host_refused`, `origin_refused`, `tls_required`.
  func check(_ request: Request, _ context: WebContext) throws(WebError) {
    let present = try present
    try RequestGuard.checkSingleHost(request)
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

  /// Where a request comes from, as limits count it.
  func network(of request: Request, _ context: WebContext) -> ClientAddress.Network {
    guard let shop = options.shop else { return .nowhere }
    return ClientAddress(request, peer: context.peer, trusted: shop.trustedProxies).network
  }

  func proof(of request: Request, _ context: WebContext) async throws -> Proof {
    try await proof(of: request, network: network(of: request, context))
  }

  /// Who sends a request: by its token or its cookie. Both end with the account, and a token with the sign-out.
  /// - Throws: `invalid_identity` for a token that proves nobody, `not_admitted` for one that was issued before its person
  ///   deleted the account.
  func proof(of request: Request, network: ClientAddress.Network) async throws -> Proof {
    let now = surroundings.now()
    let account: AccountID
    let claim: Standings.Claim
    if let token = Self.token(of: request), options.shop != nil {
      let studio = try await services.studio(options.language)
      let bearer = try await bearers.bearer(of: token, at: now) { [self] message in
        try await signIn(newcomer: message, studio, from: network)
      }
      switch bearer {
      case .ended(let ended): return .ended(ended)
      case .person(let person, let isVerifiedNow):
        (account, claim) = (person, .signedIn(nil))
        // Somebody has come back after a deletion.
        if isVerifiedNow { await standings.notePresence(of: account) }
      }
    } else {
      guard let session = try await session(of: request, at: now) else { return .nothing }
      guard options.shop != nil else {
        return .visitor(Visitor(account: session.account, isGuest: false, network: network))
      }
      (account, claim) = (session.account, session.isGuest ? .guest : .signedIn(session))
    }
    if await standings.deletion(of: account, at: now) == .done {
      return .ended(EndedVisitor(ending: .deletion, account: account))
    }
    let standing = try await standings.standing(
      of: account, claim: claim, try await services.studio(options.language), at: now)
    switch claim {
    // Whoever has the cookie of a guest is not the person who has signed in since then.
    case .guest: return standing.isGuest ? .visitor(Visitor(account: account, isGuest: true, network: network)) : .nothing
    case .signedIn(let session):
      if standing.isOf(session) { return .visitor(Visitor(account: account, isGuest: false, network: network)) }
      // The account was deleted meanwhile, perhaps at another host.
      if standing.isGuest { await bearers.end(tokensOf: account, at: now) }
      return .ended(EndedVisitor(ending: .deletion, account: account))
    }
  }

  /// Signs a person in who has not been a guest here. A new account is given the credits of a guest as well, which count as
  /// a gift to the address: where it has had its gifts for today, they are taken back.
  func signIn(
    newcomer message: AccountSignIn, _ studio: Studio, from network: ClientAddress.Network
  ) async throws -> AccountSignIn.Result {
    var answer = try await studio.send(message)
    let gift = answer.balance.buckets.filter { $0.kind == .guest }.reduce(0) { $0 + $1.available }
    guard answer.isNew, gift > 0, await !limits.take(.gifts, from: network, at: surroundings.now()) else { return answer }
    let service = try await operatorServices.studio(options.language)
    do {
      let revocation = CreditsRevoke(
        account: answer.account, amount: gift, reason: "No gift: this address has had those of today.",
        idempotencyKey: "gift:\(answer.account.rawValue)")
      answer.balance = try await service.send(revocation).balance
    } catch let error as AtelierError where error.kind == .insufficientCredits {
      // Spent meanwhile.
    }
    return answer
  }

  /// Deletes an account, and ends the tokens of its people.
  func deleteAccount(_ account: AccountID, _ language: Language) async throws -> AccountDelete.Result {
    let now = surroundings.now()
    return try await standings.delete(account, at: now) { [self] in
      let answer = try await services.studio(language).send(AccountDelete(account: account))
      await bearers.end(tokensOf: account, at: now)
      return answer
    }
  }

  private func session(of request: Request, at now: Timestamp) async throws -> Session? {
    let present = try present
    // Whoever brings no cookie of ours makes nobody look for another key.
    guard let header = request.headers[.cookie], header.contains(present.cookies([]).name) else { return nil }
    return try await present.keys.proving { keys in
      present.cookies(keys).session(inHeader: header, now: now.milliseconds / 1000)
    }
  }

  static func token(of request: Request) -> String? {
    guard let header = request.headers[.authorization], header.lowercased().hasPrefix("bearer ") else { return nil }
    return String(header.dropFirst(7))
  }

  /// Counts a request where the limits of addresses count it.
  /// - Throws: `rate_limited`.
  func limit(_ route: Route, _ call: Call) async throws(WebError) {
    guard options.shop != nil, let kind = route.counted else { return }
    let (network, now) = (call.visitor.network, surroundings.now())
    try await limits.count(limited(kind, call), from: network, at: now)
    // Whoever signs in next has not begun less for that.
    if kind == .request, call.visitor.isGuest { await limits.note(.requests, from: network, at: now) }
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
    if kind == .request, call.visitor.isGuest { await limits.giveBack(.requests, to: call.visitor.network) }
  }

  /// The account of somebody who begins without signing in. Where an address has had its gifts for today, the account exists
  /// from here on, without the credits of a guest.
  /// - Throws: `permission_denied` where guests are not wanted; `rate_limited`; what the service throws.
  func newGuest(_ call: Call) async throws -> AccountID {
    guard options.shop?.allowsGuests == true else {
      throw WebError(403, ErrorKind.permissionDenied.rawValue, "Please sign in first.")
    }
    let (network, now) = (call.visitor.network, surroundings.now())
    try await limits.count(.guests, from: network, at: now)
    let account = guestName()
    let hasGift = await limits.take(.gifts, from: network, at: now)
    if !hasGift {
      do {
        let service = try await operatorServices.studio(options.language)
        _ = try await service.send(AccountSet(account: account, welcome: false))
      } catch {
        await limits.giveBack(.guests, to: network)
        throw error
      }
    }
    counters.countGuest(hasGift: hasGift)
    return account
  }

  func guestName() -> AccountID { AccountID(rawValue: "guest-\(Hexadecimal.text(surroundings.random(16)))") }
}
