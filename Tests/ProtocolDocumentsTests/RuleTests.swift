import AtelierProtocol
import JSON
import Testing

@testable import ProtocolDocuments

@Suite("The schema of rules and details")
struct RuleTests {
  @Test(
    "the schema and the decoder agree on who somebody can be",
    arguments: [
      "", "a", "apple", "a.b-c_d", "apple\n", "\napple", "a b", "Ä", "é", "a\r\n", "\u{0}", "\u{1f}", "\u{7f}",
      "\u{80}",
      "\u{9f}", "\u{a0}", "\u{301}", "e\u{301}", "\u{2028}", "\u{1F469}\u{200D}\u{1F52C}",
      String(repeating: "a", count: 32), String(repeating: "a", count: 33), String(repeating: "\u{1F469}", count: 255),
      String(repeating: "a", count: 256),
    ])
  func identityRules(text: String) throws {
    let checker = SchemaChecker(document: [:])
    let provider = try checker.accepts(.string(text), .object(IdentityProviderName.keywords))
    #expect(IdentityProviderName.allows(text) == provider)
    #expect(IdentitySubject.allows(text) == (try checker.accepts(.string(text), .object(IdentitySubject.keywords))))
  }

  @Test("the schema has the details of errors by the kinds that have them")
  func details() throws {
    let document = try Project.documents.get().export.jsonSchema()
    let checker = SchemaChecker(document: document)
    let examples: [any ErrorDetails] = [
      InsufficientCreditsDetails(required: 4, available: 1), LimitDetails(scope: "minute", limit: 5),
      InvalidReceiptDetails(reason: "expired"),
    ]
    #expect(examples.count == ProtocolRegistry.errorDetails.count)
    for example in examples {
      for kind in type(of: example).kinds {
        let schema = try #require(document["$defs"]?["Details"]?["properties"]?[kind.rawValue])
        #expect(try checker.accepts(.object(example.json), schema), "\(kind)")
        #expect(try !checker.accepts([:], schema), "\(kind)")
      }
    }
  }
}
