import Encodings
import JSON
import Support
import Testing

@Suite("Texts in JSON")
struct JSONTextTests {
  @Test("texts that Swift calls equal are two names and two values", arguments: HostileInput.equivalentTexts)
  func exact(first: String, second: String) throws {
    try #require(first == second)
    let text = #"{"\#(first)":1,"\#(second)":2}"#
    let object = try #require(try JSONValue(parsing: text.utf8).object)
    #expect(object.count == 2)
    #expect(object[first] == 1)
    #expect(object[second] == 2)
    #expect(JSONValue.string(first) != .string(second))
    #expect(Set([JSONValue.string(first), .string(second)]).count == 2)
    #expect(Set([ExactText(first), ExactText(second)]).count == 2)
    #expect((ExactText(first) < ExactText(second)) != (ExactText(second) < ExactText(first)))
    let one: JSONObject = [first: 1]
    #expect(one != [second: 1])
    #expect(Set([one, [second: 1]]).count == 2)
  }

  @Test("texts that Swift calls equal to a member's name are no such member")
  func unknownMember() throws {
    struct Message: Decodable {
      var Key: Int?
    }
    let decoder = JSONValueDecoder(unknownMembers: .reject)
    let value = try JSONValue(parsing: "{\"\u{212A}ey\":1}".utf8)
    let failure = #expect(throws: JSONDecodingFailure.self) { try decoder.decode(Message.self, from: value) }
    #expect(failure?.path == "/\u{212A}ey")
  }

  @Test("texts have a hash of their own each, so that a hostile object is read as fast as any")
  func hashes() throws {
    let names = HostileInput.equivalentNames(1_000)
    #expect(Set(names).count == 1, "Swift cannot tell them apart")
    #expect(Set(names.map { ExactText($0).hashValue }).count == names.count)
    #expect(Set(names.map { JSONValue.string($0).hashValue }).count == names.count)
    #expect(Set(names.map { ([$0: 1] as JSONObject).hashValue }).count == names.count)
    let text = "{" + names.map { #""\#($0)":0"# }.joined(separator: ",") + "}"
    #expect(try JSONValue(parsing: text.utf8).object?.count == names.count)
  }

  @Test(
    "texts with endless combining marks, which take Swift a minute to compare, are refused as beyond a limit",
    arguments: [
      "\u{301}", "\u{323}\u{301}", "\u{F73}", "\u{F81}", "\u{F71}\u{F73}", "\u{1D165}", "\\u0301", "\\u0323\\u0301",
    ])
  func combiningMarks(marks: String) throws {
    let long = "a" + String(repeating: marks, count: 65)
    for text in [#""\#(long)""#, #"{"\#(long)":1}"#, #"[["x","\#(long)y"]]"#] {
      let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text.utf8) }
      #expect(error?.reason == .tooManyCombiningMarks(maximum: 64))
      #expect(error?.exceedsLimit == true)
    }
    let most = "a" + String(repeating: marks, count: 64 / Self.count(ofMarks: marks))
    for text in [#""\#(most)""#, #"{"\#(most)":1}"#, #"[["x","\#(most)y"]]"#] {
      #expect(throws: Never.self) { try JSONValue(parsing: text.utf8) }
    }
    let short = "a" + String(repeating: marks, count: 20) + "b" + String(repeating: marks, count: 20)
    #expect(throws: Never.self) { try JSONValue(parsing: #""\#(short)""#.utf8) }
  }

  /// How many marks a text with or without escapes stands for.
  private static func count(ofMarks text: String) -> Int {
    (try? JSONValue(parsing: #""\#(text)""#.utf8))?.string?.unicodeScalars.count ?? 1
  }

  @Test("texts of any language are taken")
  func languages() throws {
    for text in ["हिन्दी", "ภาษาไทย", "العَرَبِيَّة", "Tiếng Việt", "한국어", "བོད་སྐད", "שָׁלוֹם", "👩‍👩‍👧‍👦🏳️‍🌈"] {
      let long = String(repeating: text, count: 100)
      #expect(try JSONValue(parsing: #""\#(long)""#.utf8) == .string(long))
    }
  }

  @Test("texts in the pointer to what is wrong are escaped, whatever marks follow")
  func pointer() throws {
    struct Nothing: Decodable {}
    let value: JSONValue = ["a/\u{301}~\u{301}b": 1]
    let failure = #expect(throws: JSONDecodingFailure.self) {
      try JSONValueDecoder(unknownMembers: .reject).decode([String: [String: Bool]].self, from: value)
    }
    #expect(failure?.path == "/a~1\u{301}~0\u{301}b")
  }
}
