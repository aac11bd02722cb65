import AtelierProtocol
import JSON
import Support
import Testing

@Suite("The details of errors")
struct ErrorDetailsTests {
  @Test("the details of errors are written as an encoder would write them, and come back as what they were")
  func wire() throws {
    let bundle = UpgradeOption(
      id: "bundle_8", kind: .bundle, title: "8 portraits", credits: 8, price: Price(amount: "0.99", currency: "USD"))
    try check(InsufficientCreditsDetails(required: 4, available: 1, upgradeOptions: [bundle]))
    try check(Self.limit)
    try check(InsufficientCreditsDetails(required: 1, available: 1, shortfall: 7))
    try check(LimitDetails(scope: "concurrent", limit: 1))
    try check(InvalidReceiptDetails(reason: "from_the_future"))
  }

  private static let limit = LimitDetails(
    scope: "minute", limit: 5, used: 5, resetsAt: Timestamp(milliseconds: 1_795_238_760_123))

  private func check<D: ErrorDetails>(_ details: D) throws {
    #expect(try written(details) == .object(details.json))
    for kind in D.kinds { #expect(D(AtelierError(kind, details: details.json)) == details) }
  }

  @Test("the details of too few credits say what is needed, what is there, and what can be bought")
  func insufficientCredits() {
    let bundle = UpgradeOption(
      id: "bundle_8", kind: .bundle, title: "8 portraits", credits: 8, price: Price(amount: "0.99", currency: "USD"))
    let details = InsufficientCreditsDetails(required: 4, available: 1, upgradeOptions: [bundle])
    #expect(
      details.json == [
        "required": 4, "available": 1,
        "upgradeOptions": [
          [
            "id": "bundle_8", "kind": "bundle", "title": "8 portraits", "credits": 8,
            "price": ["amount": "0.99", "currency": "USD"],
          ]
        ],
      ])
  }

  @Test("the details are nothing where the error is of another kind or another form")
  func others() {
    let json = Self.limit.json
    #expect(LimitDetails(AtelierError(.rateLimited, details: json)) == Self.limit)
    #expect(LimitDetails(AtelierError(.notFound, details: json)) == nil)
    #expect(LimitDetails(AtelierError(.rateLimited, details: ["scope": "minute"])) == nil)
    #expect(LimitDetails(AtelierError(.rateLimited, details: ["scope": "minute", "limit": 5, "more": 1])) != nil)
  }
}
