import AtelierClient
import Encodings
import HTTPTypes
import Hummingbird
import JSON

/// What is for sale, and how it is paid: at the operator's processor, which reports each payment with a signature.
enum PaymentRoutes {
  static let all: [Route] = [
    Route(.get, "/products", CreditsProducts.self, ownAccount: false),
    Route(.post, "/purchase", CreditsPurchase.self),
    Route(
      .post, "/checkout", .session,
      RouteDescription(
        summary: "The address at which a product is paid", returned: .json,
        body: [("productId", "One of the products.", true)]), answer: checkout),
    Route(
      .post, "/payments", .shop, message: CreditsGrant.self,
      RouteDescription(
        summary: "What the processor of payments reports, signed as Standard Webhooks have it", returned: .json,
        body: [
          ("type", "paid, refunded, or reinstated for a refund that was undone.", true),
          ("paymentId", "The processor's id of the payment.", true),
          ("reference", "The reference of the checkout.", true), ("productId", "What was paid.", true),
          ("credits", "Of a payment that is refunded in part: how many credits this part is.", false),
          ("refundId", "The processor's id of the refund; needed for a part.", false),
        ]), answer: report),
  ]

  /// The address at which a person pays for a product.
  private static func checkout(_ call: Call) async throws -> Response {
    guard let shop = call.host.options.shop, let payment = shop.payment else { throw WebError.notFound }
    let product = try await product(try await call.object()["productId"]?.string, call)
    let account = try await presentAccount(call)
    let order = Order(
      account: account.account, since: account.createdAt, product: product.id.rawValue, title: product.title,
      credits: product.credits)
    let reference = order.reference(signedWith: try await shop.sessionKeys.all())
    let url = payment.checkoutURL.replacing("{product}", with: percentEncoded(product.id.rawValue))
      .replacing("{reference}", with: reference)
    return .json(["url": .string(url)])
  }

  /// The account that is to pay. It exists from here on: so a payment that comes after its deletion finds another one, or
  /// none.
  private static func presentAccount(_ call: Call) async throws -> AccountGet.Result {
    let studio = try await call.studio
    if call.visitor.isGuest {
      let service = try await call.host.operatorServices.studio(call.host.options.language)
      _ = try await service.send(AccountSet(account: call.account, welcome: true))
    }
    return try await studio.send(AccountGet(account: call.account))
  }

  private static func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      let isPlain = character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
      return isPlain ? String(decoding: [byte], as: UTF8.self) : "%" + Hexadecimal.text([byte]).uppercased()
    }.joined()
  }

  private static func product(_ id: String?, _ call: Call) async throws -> CreditProduct {
    let products = try await call.studio.send(CreditsProducts()).products
    guard let product = products.first(where: { $0.id.rawValue == id }), product.kind == .bundle else {
      throw WebError(404, "not_found", "This is not for sale here.")
    }
    return product
  }

  /// What the processor reports. A report may come any number of times, and a refund before its payment.
  private static func report(_ call: Call) async throws -> Response {
    guard let shop = call.host.options.shop, let payment = shop.payment else { throw WebError.notFound }
    let body = try await call.body()
    guard try await isGenuine(body, call, payment.secrets) else {
      throw WebError(401, "invalid_signature", "The signature of this report is not right.")
    }
    do {
      let report = try PaymentReport(body)
      guard let reference = OrderReference(report.reference) else { throw WebError.noReference }
      // Somebody may have changed the product in the address at which it is paid, but not in the reference.
      guard report.product == reference.unproven.product else {
        throw WebError(409, "wrong_product", "This is not the product of the checkout.")
      }
      let proven = try await shop.sessionKeys.proving { reference.order(signedWith: $0) }
      let result = try await settle(report, reference, proven, try await call.host.operatorServices.studio(.english))
      return .json(try Params.json(result))
    } catch {
      // Whoever reports is told what only the operator can do.
      var refusal = Interface.webError(error)
      refusal.isForOperator = true
      throw refusal
    }
  }

  private static func isGenuine(_ body: [UInt8], _ call: Call, _ secrets: SecretFile) async throws -> Bool {
    let headers = call.request.headers
    let now = call.host.surroundings.now().milliseconds / 1000
    return try await secrets.proving { secrets in
      secrets.contains { secret in
        Webhook.isGenuine(
          body, id: headers[.webhookID] ?? "", timestamp: headers[.webhookTimestamp] ?? "",
          signatures: headers[.webhookSignature] ?? "", secret: secret, now: now)
      } ? true : nil
    } == true
  }

  /// Books what is reported.
  /// - Parameter proven: the order, if a key of ours has signed it. What grants credits needs that. A refund does not: it
  ///   takes nothing but what the service has granted to this account for this payment.
  private static func settle(
    _ report: PaymentReport, _ reference: OrderReference, _ proven: Order?, _ service: Studio
  ) async throws -> any Encodable & Sendable {
    let key = "payment:\(report.payment)"
    if report.kind == .refunded { return try await service.send(report.revocation(of: reference.unproven, key)) }
    guard let order = proven else { throw WebError.unprovenReference }
    let isGone = try await isGone(order, service)
    var grant = CreditsGrant(account: order.account, amount: order.credits, reason: order.title, idempotencyKey: key)
    if report.kind == .reinstated {
      if isGone { throw WebError.accountDeleted }
      // A refund takes no more than the others have left of the payment. Repeated, or made now, it says how much it took.
      let refund = try await service.send(report.revocation(of: order, key))
      let taken = refund.revokedBefore ?? (refund.revoked + refund.owed)
      if taken == 0, !refund.waiting {
        return CreditsGrant.Result(account: order.account, granted: 0, alreadyGranted: true, balance: refund.balance)
      }
      grant.amount = refund.waiting ? try report.credits(of: order) : taken
      grant.idempotencyKey = report.refund.map { "again:r:\($0)" } ?? "again:p:\(report.payment)"
    } else if isGone {
      return try await answer(deletedPayerOf: order, key, service)
    }
    return try await service.send(grant)
  }

  /// Whether the account that was to pay has been deleted, whoever has its name now.
  private static func isGone(_ order: Order, _ service: Studio) async throws -> Bool {
    guard let since = order.since else { return false }
    let present = try await service.send(AccountGet(account: order.account))
    // An account that was merged is there: another one acts for it.
    return present.account == order.account && present.createdAt != since
  }

  /// What is answered to a payment whose account was deleted. A payment that had come before is repeated, and done. One that
  /// comes only now is recorded as refunded: so it brings nothing to anybody, and its refund is not asked for twice.
  /// - Throws: `account_deleted` for the latter.
  private static func answer(
    deletedPayerOf order: Order, _ key: String, _ service: Studio
  ) async throws -> CreditsGrant.Result {
    let revocation = try await service.send(
      CreditsRevoke(
        account: order.account, amount: order.credits, reason: order.title, idempotencyKey: key, payment: key))
    if revocation.waiting { throw WebError.accountDeleted }
    return CreditsGrant.Result(
      account: order.account, granted: 0, alreadyGranted: true, balance: revocation.balance)
  }
}

extension PaymentReport {
  /// What a refund takes back.
  /// - Parameter key: that of the payment's grant.
  fileprivate func revocation(of order: Order, _ key: String) throws(WebError) -> CreditsRevoke {
    CreditsRevoke(
      account: order.account, amount: try credits(of: order), reason: order.title,
      idempotencyKey: refund.map { "refund:\($0)" } ?? key, payment: key)
  }
}

extension HTTPField.Name {
  static let webhookID = HTTPField.Name("webhook-id") ?? .eTag
  static let webhookTimestamp = HTTPField.Name("webhook-timestamp") ?? .eTag
  static let webhookSignature = HTTPField.Name("webhook-signature") ?? .eTag
}
