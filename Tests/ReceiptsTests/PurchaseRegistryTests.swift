import AtelierProtocol
import JSON
import Testing

@testable import Receipts

@Suite("The registry of platforms")
struct PurchaseRegistryTests {
  @Test("every platform has a verifier, which names the platform", arguments: PurchasePlatform.allCases)
  func verifiers(platform: PurchasePlatform) {
    #expect(platform.verifier.platform == platform)
  }

  @Test("a purchase is judged by the verifier of its platform")
  func choice() async throws {
    let (store, play) = (try AppleStore.shared.get(), try GooglePlay.shared.get())
    let registry = PurchaseRegistry([try store.verifier(), try play.verifier()])
    let purchases = [PurchaseProof.apple(try store.transaction()), try play.receipt()]
    for proof in purchases {
      let purchase = try await registry.verify(proof, for: AppleStore.account, at: AppleStore.now)
      #expect(purchase.platform == proof.platform)
    }
  }

  @Test("each platform is configured by a member, and the purchases of the rest are refused")
  func configuration() async throws {
    let google: JSONValue = [
      "packageName": .string(GooglePlay.packageName),
      "publicKey": .string(try GooglePlay.shared.get().publicKey),
    ]
    let registry = try await Self.configured(by: ["google": google])
    #expect(registry[.apple] == nil)
    let verifier = try #require(registry[.google] as? GooglePurchaseVerifier)
    #expect(verifier.packageName == GooglePlay.packageName)
    #expect(verifier.productIDs == ["bundle8"])
    #expect(await registry.refusal(of: try GooglePlay.shared.get().receipt()) == nil)
    #expect(await registry.refusal(of: .apple(try AppleStore.shared.get().transaction())) == .notConfigured)
  }

  @Test("the roots of the App Store are read from the files that the operator names, in their order")
  func files() async throws {
    let root = try AppleStore.shared.get().trustedRoot.der
    let apple: JSONValue = ["bundleId": "app", "rootCertificates": ["/root", "/broken"]]
    await #expect(throws: PurchaseConfigurationFault("apple/rootCertificates/1", .unreadableFile(reason: "No such file."))) {
      try await Self.configured(by: ["apple": apple]) { path in
        guard path == "/root" else { throw ReceiptConfigurationFailure.unreadableFile(reason: "No such file.") }
        return root
      }
    }
    let registry = try await Self.configured(by: ["apple": apple]) { _ in root }
    #expect((registry[.apple] as? ApplePurchaseVerifier)?.roots.map(\.der) == [root, root])
  }

  private static func configured(
    by members: JSONValue, readingWith readFile: ConfiguredFileReader = { _ in [] }
  ) async throws -> PurchaseRegistry {
    let configuration = try JSONValueDecoder(unknownMembers: .reject).decode(PurchaseConfiguration.self, from: members)
    let product = CreditProduct(
      id: "bundle_8", kind: .bundle, title: "8 pictures", credits: 8, price: Price(amount: "0.99", currency: "USD"),
      platforms: CreditProduct.Platforms(google: "bundle8"))
    return try await configuration.registry(selling: [product], readingWith: readFile)
  }
}
