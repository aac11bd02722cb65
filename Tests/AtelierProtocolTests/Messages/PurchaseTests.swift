import AtelierProtocol
import JSON
import Support
import Testing

@Suite("Purchases")
struct PurchaseTests {
  private static let text = "a string of 1 to 65536 bytes"
  private static let secret = "a-signed-purchase"

  @Test("purchases are read in the form of their store, and written as they were")
  func forms() throws {
    let apple: JSONValue = ["account": "a", "platform": "apple", "signedTransaction": .string(Self.secret)]
    #expect(
      try read(CreditsPurchase.self, apple)
        == CreditsPurchase(account: "a", proof: PurchaseProof(.apple, [.signedTransaction: SecretText(Self.secret)])))
    #expect(try written(read(CreditsPurchase.self, apple)) == apple)
    let google: JSONValue = ["platform": "google", "purchaseData": "{ \"a\": 1 }", "signature": "c2ln"]
    #expect(
      try read(CreditsPurchase.self, google)
        == CreditsPurchase(
          proof: PurchaseProof(
            .google, [.purchaseData: SecretText("{ \"a\": 1 }"), .signature: SecretText("c2ln")])))
    #expect(try written(read(CreditsPurchase.self, google)) == google)
  }

  @Test(
    "purchases in another form are refused, with the place and what is expected there, and are never repeated",
    arguments: [
      ([:], "/platform", "apple or google"),
      (["signedTransaction": .string(secret)], "/platform", "apple or google"),
      (["platform": "amazon", "signedTransaction": .string(secret)], "/platform", "apple or google"),
      (["platform": "apple"], "/signedTransaction", text),
      (["platform": "apple", "signedTransaction": nil], "/signedTransaction", text),
      (["platform": "apple", "signedTransaction": ""], "/signedTransaction", text),
      (["platform": "apple", "signedTransaction": [.string(secret)]], "/signedTransaction", text),
      (
        ["platform": "apple", "purchaseData": .string(secret), "signature": .string(secret)], "/purchaseData",
        "nothing with the platform apple"
      ),
      (
        ["platform": "apple", "signedTransaction": .string(secret), "signature": .string(secret)], "/signature",
        "nothing with the platform apple"
      ),
      (["platform": "google"], "/purchaseData", text),
      (["platform": "google", "purchaseData": .string(secret)], "/signature", text),
      (["platform": "google", "signature": .string(secret)], "/purchaseData", text),
      (["platform": "google", "purchaseData": .string(secret), "signature": 5], "/signature", text),
      (
        ["platform": "google", "signedTransaction": .string(secret)], "/signedTransaction",
        "nothing with the platform google"
      ),
      (
        ["platform": "google", "purchaseData": ["secret": .string(secret)], "signature": .string(secret)],
        "/purchaseData", text
      ),
      (["platform": "apple", "signedTransaction": .string(secret), "recipt": .string(secret)], "/recipt", nil),
    ] as [(JSONValue, String, String?)])
  func refusals(params: JSONValue, path: String, expected: String?) {
    let failure = failure(CreditsPurchase.self, params)
    #expect(failure?.path == path)
    if let expected { #expect(failure?.expected == expected) }
    #expect(failure?.message.contains(path) == true)
    #expect(failure?.message.contains(Self.secret) == false)
  }

  @Test("purchases may be 64 KiB long and no longer")
  func limits() throws {
    let longest = String(repeating: "é", count: 32_768)
    #expect(failure(CreditsPurchase.self, ["platform": "apple", "signedTransaction": .string(longest)]) == nil)
    let tooLong = failure(CreditsPurchase.self, ["platform": "apple", "signedTransaction": .string(longest + "x")])
    #expect(tooLong?.expected == Self.text)
    #expect(tooLong?.message == "/signedTransaction must be \(Self.text).")
  }

  @Test("proofs hold the strings of their platform only, whatever they are made of")
  func foreignMembers() throws {
    let proof = PurchaseProof(.apple, [.signedTransaction: SecretText(Self.secret), .signature: SecretText("c2ln")])
    #expect(proof == PurchaseProof(.apple, [.signedTransaction: SecretText(Self.secret)]))
    #expect(proof[.signature] == nil)
    #expect(
      try written(CreditsPurchase(proof: proof)) == ["platform": "apple", "signedTransaction": .string(Self.secret)])
  }

  @Test("proofs have members of their own on every platform, and no other platform's", arguments: PurchasePlatform.allCases)
  func members(platform: PurchasePlatform) {
    #expect(!platform.proofMembers.isEmpty)
    #expect(platform.proofMembers.allSatisfy(PurchaseProof.CodingKeys.texts.contains))
    for other in PurchasePlatform.allCases where other != platform {
      #expect(Set(platform.proofMembers).isDisjoint(with: other.proofMembers))
    }
  }

  @Test("purchases stay hidden however they are printed")
  func printing() {
    let proofs: [PurchaseProof] = [
      PurchaseProof(.apple, [.signedTransaction: SecretText(Self.secret)]),
      PurchaseProof(.google, [.purchaseData: SecretText(Self.secret), .signature: SecretText(Self.secret)]),
    ]
    for proof in proofs {
      var dumped = ""
      dump(CreditsPurchase(proof: proof), to: &dumped)
      let printed = ["\(CreditsPurchase(proof: proof))", String(reflecting: proof), dumped]
      for text in printed { #expect(!text.contains(Self.secret)) }
    }
  }
}
