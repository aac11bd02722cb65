import Receipts
import Testing

@Suite("A refusal")
struct RefusalTests {
  @Test("a refusal has a name on the wire that never changes")
  func names() {
    let names = [
      "malformed", "too_large", "wrong_algorithm", "wrong_chain", "untrusted_root", "expired_certificate",
      "missing_oid", "bad_signature", "wrong_bundle", "wrong_product", "wrong_environment", "wrong_account",
      "missing_account", "family_shared", "expired", "pending", "wrong_quantity", "revoked", "not_configured",
    ]
    #expect(ReceiptRefusal.Reason.allCases.map(\.rawValue) == names)
  }

  @Test("a refusal is one sentence a person can act on, without any internals", arguments: ReceiptRefusal.Reason.allCases)
  func sentence(reason: ReceiptRefusal.Reason) {
    let sentence = ReceiptRefusal(reason).sentence.text
    #expect(sentence.hasSuffix("."))
    #expect(sentence.filter { $0 == "." }.count == 1)
    #expect(sentence.contains(": "), "it does not say what to do")
    #expect(sentence.utf8.count <= 120)
    #expect(!sentence.contains { "_{}[]<>/0123456789".contains($0) })
  }

  @Test("the vectors try every reason of a refusal, except those that callers give")
  func coverage() {
    let tried = Set(AppleVector.all.compactMap(\.refusal) + GoogleVector.all.compactMap(\.refusal))
    #expect(Set(ReceiptRefusal.Reason.allCases).subtracting(tried) == [.revoked, .notConfigured])
  }
}
