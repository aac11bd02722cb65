import JSON
import Testing

@Suite("Parsing JSON")
struct JSONParserTests {
  @Test(
    "the parser accepts what RFC 8259 allows",
    arguments: [
      ("null", .null), (" \t\r\n true \n", true), ("false", false), ("0", 0), ("-0", .number(JSONNumber(text: "-0")!)),
      ("[]", []), ("{}", [:]), ("[ ]", []), ("{ }", [:]), ("[1 , 2]", [1, 2]),
      (#"{"a" : {"b":[null]} }"#, ["a": ["b": [nil]]]),
      (#""""#, ""), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\u20AC""#, "é€"),
      (#""\ud83d\ude00""#, "😀"), (#""😀""#, "😀"), (#""\u0000""#, "\u{0}"), ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
      (#"{"a":1,"a":2}"#, ["a": 2]), (#"{"":1}"#, ["": 1]), (#"{"\u0061":1}"#, ["a": 1]),
      // Lone surrogates are no characters.
      (#""\ud800""#, "\u{FFFD}"), (#""\udc00\ud800x""#, "\u{FFFD}\u{FFFD}x"), (#""\ud800\u0041""#, "\u{FFFD}A"),
      (#""\ud800\ud83d\ude00""#, "\u{FFFD}😀"),
    ] as [(String, JSONValue)])
  func accepts(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: text.utf8) == value)
  }

  @Test(
    "the parser keeps the exact text of numbers",
    arguments: ["1.0", "1E5", "1e+5", "0.10", "-0.0", "123456789012345678901234567890", "1e400"])
  func numbers(text: String) throws {
    let value = try JSONValue(parsing: Array(text.utf8))
    #expect(value.number?.text == text)
    #expect(value.serializedText == text)
  }

  @Test("the parser keeps the order of members")
  func order() throws {
    let names = (0..<100).map { "m\($0 * 7919 % 100)" }
    let text = "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
    #expect(try JSONValue(parsing: text.utf8).object?.keys == names)
  }

  @Test(
    "the parser refuses what RFC 8259 does not allow, and says where",
    arguments: [
      ("", 0), (" ", 1), ("nul", 3), ("nulL", 3), ("True", 0), ("NaN", 0), ("Infinity", 0), ("-", 0), ("+1", 0),
      ("01", 0), ("-01", 0),
      ("1.", 0), (".5", 0), ("1e", 0), ("1e+", 0), ("0x1", 1), ("1 2", 2), ("[1,]", 3), ("[,1]", 1), ("[1 2]", 3),
      ("[1", 2), ("]", 0),
      ("{", 1), ("{1:2}", 1), (#"{"a"}"#, 4), (#"{"a":}"#, 5), (#"{"a":1,}"#, 7), (#"{"a":1 "b":2}"#, 7),
      (#"{'a':1}"#, 1),
      (#"""#, 1), (#""a"#, 2), (#""\"#, 2), (#""\x""#, 1), (#""\u12""#, 1), (#""\u12G4""#, 1), (#""\u+123""#, 1),
      ("\"\n\"", 1), ("\"\t\"", 1), ("\"\u{1F}\"", 1),
      ("\u{FEFF}1", 0), ("// x\n1", 0), ("\0", 0), (#"{"a":1}}"#, 7),
    ])
  func refuses(text: String, offset: Int) throws {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text.utf8) }
    #expect(error?.offset == offset)
    #expect(error?.exceedsLimit == false)
    #expect(error?.message.hasSuffix(".") == true)
  }

  @Test(
    "the parser refuses bytes that are not UTF-8",
    arguments: [
      [0x80], [0xC0, 0x80], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
      [0xF0, 0x80, 0x80, 0x80], [0xFF],
    ] as [[UInt8]])
  func notUTF8(bytes: [UInt8]) {
    for escape in ["", "\\n"] {
      let text = Array("\"\(escape)".utf8) + bytes + Array("\"".utf8)
      let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
      #expect(error?.reason == .invalidUTF8)
    }
  }

  @Test("the parser bounds the depth and the number of values, and says that they were the reason")
  func limits() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    #expect(throws: Never.self) { try JSONValue(parsing: nested(128)) }
    var error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: nested(129)) }
    #expect(error == JSONSyntaxError(.tooDeep(maximum: 128), at: 128))
    #expect(error?.exceedsLimit == true)
    let siblings = Array(("[" + Array(repeating: "[{}]", count: 50).joined(separator: ",") + "]").utf8)
    #expect(throws: Never.self) { try JSONValue(parsing: siblings, maximumDepth: 3) }
    for empty in ["[]", "{}", "[ ]", "{ }", "[[]]", #"{"a":{}}"#, "[],{}"] {
      let many = "[" + Array(repeating: empty, count: 50).joined(separator: ",") + ",[[1]]]"
      #expect(throws: Never.self, "\(empty)") { try JSONValue(parsing: many.utf8, maximumDepth: 3) }
      #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: many.utf8, maximumDepth: 2) }
    }
    #expect(throws: Never.self) { try JSONValue(parsing: siblings.span, maximumValues: 101) }
    error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: siblings.span, maximumValues: 100) }
    #expect(error?.exceedsLimit == true)
  }

  @Test("the parser takes a hundred thousand members of one object without ado")
  func manyMembers() throws {
    let text = "{" + (0..<100_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
    let object = try #require(try JSONValue(parsing: Array(text.utf8)).object)
    #expect(object.count == 100_000)
    #expect(object["k99999"] == 99999)
  }
}
