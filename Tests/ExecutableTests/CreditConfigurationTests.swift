import AtelierProtocol
import Engine
import Foundation
import JSON
import Receipts
import Store
import Support
import ServiceFixture
import Testing

@testable import atelier

@Suite("The credits of the configuration file", .timeLimit(.minutes(2)))
struct CreditConfigurationTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func policy(_ credits: JSONValue) async throws -> CreditPolicy {
    let path = "\(directory.path)/config.json"
    try Data(JSONValue.object(["credits": credits]).serialized()).write(to: URL(fileURLWithPath: path))
    return try await ConfigurationSource(path: path).locatingFaults { try await $0.engineConfiguration() }.credits
  }

  private static func product(
    _ changes: JSONObject = [:], without member: String? = nil
  ) -> JSONValue {
    var product: JSONObject = [
      "id": "bundle_8", "kind": "bundle", "title": "8 pictures", "credits": 8,
      "price": ["amount": "0.99", "currency": "USD"], "platforms": ["apple": "b8"],
    ]
    for (name, value) in changes { product[name] = value }
    if let member { product[member] = nil }
    return .object(product)
  }

  private static var file: String { Fixture.path("images/plain.jpg") }

  @Test("the configured credits are those of the requirements where nothing is said")
  func defaults() async throws {
    let policy = try await policy([:])
    #expect(policy.rules == CreditRules())
    #expect(policy.limits == UsageLimit.standard)
    #expect(policy.products.map(\.price.amount) == ["9.99", "0.99", "4.99"])
    #expect(policy.products.map(\.credits) == [168, 8, 48])
    #expect(PurchasePlatform.allCases.allSatisfy { policy.purchases[$0] == nil })
  }

  @Test("the configured credits are what is said, and the defaults for the rest")
  func said() async throws {
    let policy = try await policy([
      "guest": 2, "makegoodDays": 1, "costs": [["provider": "gemini", "recipe": "edit", "credits": 3]],
      "limits": ["concurrent": 0, "guestsPerHour": 7, "headshot": ["perMinute": 9]],
      "products": [Self.product()], "apple": ["bundleId": "org.example.studio", "allowSandbox": true],
    ])
    #expect(policy.rules == CreditRules(guestCredits: 2, makegoodLifetimeMs: 86_400_000))
    #expect(policy.costs == CreditCosts([CreditCosts.Rule(provider: "gemini", recipe: .edit, credits: 3)]))
    #expect(!policy.limits.contains { $0.window == .concurrent })
    #expect(policy.limits.contains(UsageLimit(.hour, isForGuests: true, limit: 7)))
    #expect(policy.limits.contains(UsageLimit(.minute, recipe: .headshot, limit: 9)))
    #expect(policy.limits.contains(UsageLimit(.day, recipe: .headshot, limit: 10)))
    #expect(policy.products.map(\.id) == ["bundle_8"])
    let apple = try #require(policy.purchases[.apple] as? ApplePurchaseVerifier)
    #expect(apple.bundleID == "org.example.studio" && apple.productIDs == ["b8"] && apple.allowsSandbox)
    #expect(apple.roots == [.appleG3])
  }

  @Test("configured credits that make no sense are refused with the member that is wrong", arguments: [
    (["guest": -1], "credits/guest must be from 0 to 1000000."),
    (["makegoodDays": 0], "credits/makegoodDays must be from 1 to 3650."),
    (["costs": [["provider": "gemini", "credits": -1]]], "credits/costs/0/credits must be from 0 to 1000."),
    (["costs": [["provider": "gemini", "recipe": "edit", "mode": "multiAngle", "credits": 1]]], "credits/costs/0/mode"),
    (["limits": ["headshot": ["perDay": -1]]], "credits/limits/headshot/perDay must be from 0 to 1000000."),
    (["limits": ["concurrent": 1_000_001]], "credits/limits/concurrent must be"),
    (["products": [product(["credits": 0])]], "credits/products/0/credits must be from 1 to 1000000."),
    (["products": [product(["kind": "subscription"])]], "credits/products/0/period must be month"),
    (["products": [product(["period": "month"])]], "credits/products/0/period must be left out"),
    (["products": [product(["price": ["amount": "free", "currency": "USD"]])]], "credits/products/0/price/amount"),
    (["products": [product(["price": ["amount": "1", "currency": "usd"]])]], "credits/products/0/price/currency"),
    (["products": [product(), product()]], "credits/products/1/id must be another"),
    (["products": [product(), product(["id": "other"])]], "credits/products/1/platforms/apple must be another"),
    (["apple": ["bundleId": ""]], "credits/apple/bundleId must not be empty."),
    (["apple": ["bundleId": "a", "rootCertificates": []]], "credits/apple/rootCertificates must not be empty"),
    (["apple": ["bundleId": "a", "rootCertificates": ["/nonexistent"]]],
      "/credits/apple/rootCertificates/0 cannot be used: "),
    (["apple": ["bundleId": "a", "rootCertificates": [.string(file)]]],
      "/credits/apple/rootCertificates/0 cannot be used: The root"),
    (["google": ["packageName": "", "publicKey": "AAAA"]], "credits/google/packageName must not be empty."),
    (["google": ["packageName": "a", "publicKey": "AAAA"]],
      "/credits/google/publicKey cannot be used: The Google Play public key"),
    (["guest": "one"], "/credits/guest must be"),
    (["apple": [:]], "/credits/apple/bundleId is missing; it must be a string."),
    (["colour": "red"], "/credits/colour is not a known member; known are"),
    (["limits": ["portrait": [:]]], "/credits/limits/portrait is not a known member"),
    (["products": [product(without: "title")]], "/credits/products/0/title is missing; it must be"),
  ] as [(JSONValue, String)])
  func senseless(credits: JSONValue, sentence: String) async throws {
    let failure = try await #require(throws: ConfigurationFailure.self) { try await policy(credits) }
    #expect(failure.sentence.contains(sentence), "\(failure.sentence)")
    #expect(failure.sentence.hasSuffix("."))
  }

  @Test("configured credits that make no sense stop the service before it says anything")
  func refused() async throws {
    let path = "\(directory.path)/config.json"
    try Data(#"{"credits":{"guest":-1}}"#.utf8).write(to: URL(fileURLWithPath: path))
    let outcome = try await Executable.run(["--config", path, "--data-dir", "\(directory.path)/data"])
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors == "atelier: \(path):1:21: /credits/guest must be from 0 to 1000000.\n")
  }
}
