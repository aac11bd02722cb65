import AtelierProtocol

@testable import Store

/// A ledger with rows in every table, made as the service makes them.
struct LedgerScene {
  let fixture: StoreFixture
  let store: Store

  /// - Parameter households: how many times all of it happens, each time to other accounts.
  static func fill(_ store: Store, of fixture: StoreFixture, households: Int = 1) async throws {
    let scene = LedgerScene(fixture: fixture, store: store)
    for number in 0..<households { try await scene.fill(number) }
  }

  private func fill(_ number: Int) async throws {
    let (anna, bert, cara) = (
      AccountID(rawValue: "anna\(number)"), AccountID(rawValue: "bert\(number)"), AccountID(rawValue: "cara\(number)"))
    _ = try await store.signIn(Identity(provider: "email", subject: "anna \(number)"), as: anna)
    _ = try await store.record(purchase("apple:s\(number)", of: anna, .subscription, 168))
    try await generate(3, images: 3, for: anna)
    try await generate(3, images: 1, for: anna)
    try await generate(2, images: 0, for: anna)
    _ = try await store.begin(acceptance(1, for: anna))

    _ = try await store.record(purchase("google:b\(number)", of: bert, .bundle, 8))
    try await generate(5, images: 5, for: bert)
    _ = try await store.refund(purchase("google:b\(number)", of: bert, .bundle, 8), at: fixture.clock.now)
    _ = try await store.grantCredits(10, to: bert, because: "a gift", source: "gift \(number)")
    _ = try await store.revokeCredits(2, from: bert, because: "given twice", source: "revocation \(number)")
    _ = try await store.refund(purchase("apple:u\(number)", of: bert, .bundle, 8), at: fixture.clock.now)
    _ = try await store.refund(purchase("apple:v\(number)", of: bert, .subscription, 8), at: fixture.clock.now)

    // Owed, and paid again.
    try await generate(4, images: 4, for: bert)
    _ = try await store.revokeCredits(10, from: bert, because: "refunded", source: "gift \(number)")
    _ = try await store.record(purchase("google:c\(number)", of: bert, .bundle, 9))
    fixture.clock.advance(by: 1)
    _ = try await store.refund(purchase("google:c\(number)", of: bert, .bundle, 9), at: fixture.clock.now)
    _ = try await store.record(purchase("google:d\(number)", of: bert, .bundle, 30))

    _ = try await store.set(cara, tier: .premium, isUnlimited: true)
    _ = try await store.creditBalance(of: cara)
    _ = try await store.set(cara, tier: .free, isUnlimited: false)
    _ = try await store.record(purchase("apple:t\(number)", of: cara, .subscription, 20))
    _ = try await store.refund(purchase("apple:t\(number)", of: cara, .subscription, 20), at: fixture.clock.now)

    // A guest that becomes part of an account, and an account that is deleted.
    let (dora, emil) = (AccountID(rawValue: "dora\(number)"), AccountID(rawValue: "emil\(number)"))
    _ = try await store.record(purchase("google:e\(number)", of: dora, .bundle, 8))
    try await generate(2, images: 2, for: dora)
    _ = try await store.signIn(Identity(provider: "email", subject: "anna \(number)"), as: dora)
    _ = try await store.refund(purchase("google:e\(number)", of: dora, .bundle, 8), at: fixture.clock.now)
    _ = try await store.record(purchase("google:f\(number)", of: emil, .bundle, 8))
    try await generate(2, images: 2, for: emil)
    _ = try await store.deleteAccount(emil)

    // What a guest was given and the person had before, and refunds: of a part, before the payment, after the deletion.
    let (fred, gert) = (AccountID(rawValue: "fred\(number)"), AccountID(rawValue: "gert\(number)"))
    _ = try await store.account(fred)
    _ = try await store.signIn(Identity(provider: "email", subject: "anna \(number)"), as: fred)
    for part in 1...2 {
      _ = try await store.revokeCredits(
        3, from: gert, because: "part \(part)", source: "part \(part) of \(number)", payment: "card \(number)")
    }
    _ = try await store.grantCredits(8, to: gert, because: "card", source: "card \(number)")
    _ = try await store.deleteAccount(gert)
    _ = try await store.revokeCredits(8, from: gert, because: "the rest", source: "card \(number)")
    _ = try await store.revokeCredits(
      4, from: gert, because: "never paid", source: "unpaid \(number)", payment: "no card \(number)")
  }

  private func purchase(
    _ source: String, of account: AccountID, _ kind: CreditProduct.Kind, _ credits: Int
  ) -> Purchase {
    Purchase(
      source: source, account: account, product: "some.product", kind: kind, credits: credits, quantity: 1,
      purchasedAt: fixture.clock.now, expiresAt: nil)
  }

  private func acceptance(_ credits: Int, for account: AccountID) -> Acceptance {
    fixture.acceptance(account, key: "key \(fixture.next())", metering: Metering(credits: credits, limits: []))
  }

  private func generate(_ credits: Int, images: Int, for account: AccountID) async throws {
    let id = try await store.begin(acceptance(credits, for: account))
    var settled: [GenerationFile] = []
    for index in 0..<images {
      let staged = try await store.stage([UInt8(index)], mimeType: "image/png")
      settled.append(GenerationFile(index: index, source: .staged(staged), width: 4, height: 3, credits: 1))
    }
    let state: GenerationState = images == 0 ? .failed : images == credits ? .succeeded : .partial
    _ = try await store.finish(
      Settlement(
        id: id, state: state, files: settled, error: images == 0 ? AtelierError(.internal) : nil))
  }
}
