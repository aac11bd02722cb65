import AtelierProtocol
import Encodings
import JSON
import Support
import Testing

@Suite("Identifiers")
struct IdentifierTests {
  @Test("identifiers are compared by their bytes, not as Swift compares strings", arguments: HostileInput.equivalentTexts)
  func bytes(first: String, second: String) {
    func check<ID: Identifier>(_ type: ID.Type) {
      let (left, right) = (ID(rawValue: first), ID(rawValue: second))
      #expect(!(left == right))
      #expect(left != right)
      #expect(left == ID(rawValue: first))
      #expect(!(left != ID(rawValue: first)))
      #expect(Set([left, right]).count == 2)
      #expect([left: 1][right] == nil)
      #expect((left < right) != (right < left))
      #expect(Optional(left) != Optional(right))
      #expect([left] != [right])
    }
    check(AccountID.self)
    check(GenerationID.self)
    check(PreparedID.self)
    check(ProductID.self)
    check(ProviderID.self)
    // Outside of a generic function other operators could be chosen.
    #expect(!(AccountID(rawValue: first) == AccountID(rawValue: second)))
    #expect(AccountID(rawValue: first) != AccountID(rawValue: second))
    #expect(ProviderID(rawValue: first) != ProviderID(rawValue: second))
  }

  @Test("identifiers of accounts are any text but *, which stands for everybody where that may be asked")
  func everybody() throws {
    let decoder = JSONValueDecoder(unknownMembers: .reject)
    #expect(try decoder.decode(AccountID.self, from: "**") == "**")
    let failure = #expect(throws: JSONDecodingFailure.self) { try decoder.decode(AccountID.self, from: "*") }
    #expect(failure?.expected.contains("other than *") == true)
    #expect(try decoder.decode(History.self, from: ["account": "*"]).account == .everybody)
    #expect(throws: JSONDecodingFailure.self) { try decoder.decode(History.self, from: ["account": ""]) }
    #expect(throws: JSONDecodingFailure.self) { try decoder.decode(AccountGet.self, from: ["account": "*"]) }
  }
}
