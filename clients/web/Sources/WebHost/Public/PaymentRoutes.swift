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
          ("type", "paid or refunded.", true), ("paymentId", "The processor's id of the payment.", true),
          ("reference", "The reference of the checkout.", true), ("productId", "What was paid.", true),
        ]), answer: report),
  ]

  /// The address at which a person pays for a product.
  private static func checkout(_ call: Call) async throws -> Response {
    guard let shop = call.host.options.shop, let payment = shop.payment else { throw WebError.notFound }
    let product = try await product(try await call.object()["productId"]?.string, call)
    let order = Order(account: call.account.rawValue, product: product.id.rawValue, title: product.title,
      credits: product.credits)
    let reference = order.reference(signedWith: shop.sessionKey)
    let url = payment.checkoutURL.replacing("{product}", with: percentEncoded(product.id.rawValue))
      .replacing("{reference}", with: reference)
    return .json(["url": .string(url)])
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

  /// What the processor reports: `{"type": "paid" | "refunded", "paymentId", "reference", "productId"}`. The report may
  /// come any number of times.
  private static func report(_ call: Call) async throws -> Response {
    guard let shop = call.host.options.shop, let payment = shop.payment else { throw WebError.notFound }
    let body = try await call.body()
    let headers = call.request.headers
    let isGenuine = Webhook.isGenuine(
      body, id: headers[.webhookID] ?? "", timestamp: headers[.webhookTimestamp] ?? "",
      signatures: headers[.webhookSignature] ?? "", secret: payment.secret,
      now: call.host.surroundings.now().milliseconds / 1000)
    guard isGenuine else { throw WebError(401, "invalid_signature", "The signature of this report is not right.") }
    guard let report = (try? JSONValue(parsing: body))?.object, let id = report["paymentId"]?.string, !id.isEmpty,
      let order = report["reference"]?.string.flatMap({ Order(reference: $0, signedWith: shop.sessionKey) })
    else { throw WebError(400, "invalid_params", "A report has type, paymentId, reference and productId.") }
    // Somebody may have changed the product in the address at which it is paid, but not in the reference.
    guard report["productId"]?.string == order.product else {
      throw WebError(409, "wrong_product", "This is not the product of the checkout.")
    }
    let service = try await call.host.operatorServices.studio(.english)
    let key = "payment:\(id)"
    switch report["type"]?.string {
    case "paid":
      let grant = CreditsGrant(
        account: AccountID(rawValue: order.account), amount: order.credits, reason: order.title, idempotencyKey: key)
      return .json(try call.json(try await service.send(grant)))
    case "refunded":
      let revocation = CreditsRevoke(
        account: AccountID(rawValue: order.account), amount: order.credits, reason: order.title, idempotencyKey: key,
        owe: true)
      return .json(try call.json(try await service.send(revocation)))
    default: throw WebError(400, "invalid_params", "The type of a report is paid or refunded.")
    }
  }
}

extension HTTPField.Name {
  static let webhookID = HTTPField.Name("webhook-id") ?? .eTag
  static let webhookTimestamp = HTTPField.Name("webhook-timestamp") ?? .eTag
  static let webhookSignature = HTTPField.Name("webhook-signature") ?? .eTag
}
