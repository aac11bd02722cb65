import Foundation
import JSON
import Support
import Testing

/// Cases in the manner of JSONTestSuite (github.com/nst/JSONTestSuite): what every parser must take, must refuse, and
/// what RFC 8259 leaves to it.
@Suite("The JSON parser, by the standard's test cases")
struct JSONTestSuiteTests {
  @Test(
    "the JSON parser takes what is JSON",
    arguments: [
      "[[]   ]", "[]", "[\"\"]", "[\"a\"]", "[false]", "[null, 1, \"1\", {}]", "[null]", "[1\n]", " [1]", "[2] ",
      "[1,null,null,null,2]", "[123e65]", "[0e+1]", "[0e1]", "[ 4]", "[-0.0000000000000000000000000000000000000001]",
      "[20e1]", "[-0]", "[-123]", "[-1]", "[1E22]", "[1E-2]", "[1E+2]", "[123e45]", "[123.456e78]", "[1e-2]", "[1e+2]",
      "[123]", "[123.456789]", "{\"asd\":\"sdf\", \"dfg\":\"fgh\"}", "{\"asd\":\"sdf\"}", "{\"a\":\"b\",\"a\":\"c\"}",
      "{\"a\":\"b\",\"a\":\"b\"}", "{}", "{\"\":0}", "{\"foo\\u0000bar\": 42}", "{ \"min\": -1.0e+28, \"max\": 1.0e+28 }",
      "{\"a\":[]}", "{\"title\":\"\\u041f\\u043e\\u043b\\u0442\\u043e\\u0440\\u0430\"}", "{\n\"a\": \"b\"\n}",
      "[\"\\u0060\\u012a\\u12AB\"]", "[\"\\uD801\\udc37\"]", "[\"\\ud83d\\ude39\\ud83d\\udc8d\"]",
      "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[\"\\\\u0000\"]", "[\"\\\"\"]", "[\"a/*b*/c/*d//e\"]", "[\"\\\\a\"]",
      "[\"\\\\n\"]", "[\"\\u0012\"]", "[\"\\uFFFF\"]", "[\"asd\"]", "[ \"asd\"]", "[\"\\uDBFF\\uDFFF\"]",
      "[\"new\\u00A0line\"]", "[\"\u{10FFFF}\"]", "[\"\u{FFFF}\"]", "[\"\\u0000\"]", "[\"\\u002c\"]", "[\"π\"]",
      "[\"\u{1BFFF}\"]", "[\"asd \"]", "\" \"", "[\"\\uD834\\uDd1e\"]", "[\"\\u0821\"]", "[\"\\u0123\"]",
      "[\"\u{2028}\"]", "[\"\u{2029}\"]", "[\"\\u0061\\u30af\\u30EA\\u30b9\"]", "[\"new\\u000Aline\"]",
      "[\"\u{7F}\"]", "[\"\\uA66D\"]", "[\"\\u005C\"]", "[\"⍂㈴⍂\"]", "[\"\\u200B\"]", "[\"\\u2064\"]", "[\"\\uFDD0\"]",
      "[\"\\uFFFE\"]", "[\"\\u0022\"]", "[\"€𝄞\"]", "[\"aa\"]", "false", "42", "-0.1", "null", "\"asd\"", "true", "\"\"",
      "[\"a\"]\n", "[true]", " [] ", "[\t1\r\n]",
    ])
  func accepts(text: String) throws {
    let value = try JSONValue(parsing: text.utf8)
    #expect(try JSONValue(parsing: value.serialized()) == value)
  }

  @Test(
    "the JSON parser refuses what is not JSON",
    arguments: [
      "[1 true]", "[\"\": 1]", "[\"\"],", "[,1]", "[1,,2]", "[\"x\",,]", "[\"x\"]]", "[\"\",]", "[\"x\"", "[x",
      "[3[4]]", "[1:2]", "[,]", "[-]", "[   , \"\"]", "[\"a\",\n4\n,1,", "[1,]", "[\"a\u{B}\"]", "[*]", "[\"a\"", "[1,",
      "[{}", "[fals]", "[nul]", "[tru]", "123\u{0}", "[++1234]", "[+1]", "[+Inf]", "[-01]", "[-1.0.]", "[-2.]", "[-NaN]",
      "[.-1]", "[.2e-3]", "[0.1.2]", "[0.3e+]", "[0.3e]", "[0.e1]", "[0E+]", "[0E]", "[0e+]", "[0e]", "[1.0e+]",
      "[1.0e-]", "[1.0e]", "[1 000.0]", "[1eE2]", "[2.e+3]", "[2.e-3]", "[2.e3]", "[9.e+]", "[Inf]", "[NaN]", "[１]",
      "[1+2]", "[0x1]", "[0x42]", "[Infinity]", "[0e+-1]", "[-123.123foo]", "[-Infinity]", "[-foo]", "[- 1]", "[-012]",
      "[-.123]", "[-1x]", "[1ea]", "[1.]", "[.123]", "[1.2a-3]", "[1.8011670033376514H-308]", "[012]", "[\"x\", truth]",
      "{[: \"x\"}", "{\"x\", null}", "{\"x\"::\"b\"}", "{🇨🇭}", "{\"a\":\"a\" 123}", "{key: 'value'}", "{\"a\" b}",
      "{:\"b\"}", "{\"a\" \"b\"}", "{\"a\":", "{\"a\"", "{1:1}", "{9999E9999:1}", "{null:null,null:null}", "{\"id\":0,,,,,}",
      "{'a':0}", "{\"id\":0,}", "{\"a\":\"b\"}/**/", "{\"a\":\"b\"}/**//", "{\"a\":\"b\"}//", "{\"a\":\"b\"}/",
      "{\"a\":\"b\",,\"c\":\"d\"}", "{a: \"b\"}", "{\"a\":\"a", "{ \"foo\" : \"bar\", \"a\" }", "{\"a\":\"b\"}#", " ",
      "[\"\\uD800\\\"]", "[\"\\uD800\\u\"]", "[\"\\uD800\\u1\"]", "[\"\\uD800\\u1x\"]", "[é]", "[\"\\\u{0}\"]",
      "[\"\\x00\"]", "[\"\\\\\\\"]", "[\"\\\t\"]", "[\"\\🌀\"]", "[\"\\\"]", "[\"\\u00A\"]", "[\"\\uD834\\uDd\"]",
      "[\"\\uD800\\uD800\\x\"]", "[\"\\a\"]", "[\"\\uqqqq\"]", "[\\u0020\"asd\"]", "[\\n]", "\"", "['single quote']", "abc",
      "[\"\\", "[\"a\u{0}a\"]", "[\"new\nline\"]", "[\"\t\"]", "\"\\UA66D\"", "\"\"x", "<.>", "[<null>]", "[1]x", "[1]]",
      "[\"asd]", "aå", "[True]", "1]", "{\"x\": true,", "[][]", "]", "[", "", "{}}", "{\"\":", "{\"a\":/*comment*/\"b\"}",
      "{\"a\": true} \"x\"", "['", "[\"a", "[,", "[{", "{", "{]", "{,", "{[", "{\"a", "{'a'", "[\"\\{[\"\\{[\"\\{[\"\\{",
      "å", "*", "{\"a\":\"b\"}#{}", "[\\u000A\"\"]", "[1", "[ false, nul", "[ true, fals", "[ false, tru",
      "{\"asd\":\"asd\"", "\u{2060}", "\u{FEFF}", "[\u{C}]", "[\u{A0}]",
    ])
  func refuses(text: String) {
    #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text.utf8) }
  }

  @Test(
    "the JSON parser reads in one way what the standard leaves open",
    arguments: [
      // Numbers beyond any type keep their text; lone surrogates become U+FFFD.
      ("[123.456e-789]", "[123.456e-789]"), ("[0.4e00669999999999]", "[0.4e00669999999999]"),
      ("[-1e+9999]", "[-1e+9999]"), ("[1.5e+9999]", "[1.5e+9999]"),
      ("[100000000000000000000]", "[100000000000000000000]"), ("[\"\\uDADA\"]", "[\"\u{FFFD}\"]"),
      ("[\"\\uD888\\u1234\"]", "[\"\u{FFFD}\u{1234}\"]"), ("[\"\\uD800\\n\"]", "[\"\u{FFFD}\\n\"]"),
      ("[\"\\uDd1ea\"]", "[\"\u{FFFD}a\"]"), ("[\"\\uD800\\uD800\\n\"]", "[\"\u{FFFD}\u{FFFD}\\n\"]"),
      ("[\"\\uDd1e\\uD834\"]", "[\"\u{FFFD}\u{FFFD}\"]"), ("[\"\\uDFAA\"]", "[\"\u{FFFD}\"]"),
    ])
  func chooses(text: String, written: String) throws {
    #expect(try JSONValue(parsing: text.utf8).serializedText == written)
  }

  // MARK: Beside Foundation's

  @Test("the JSON parser agrees with Foundation's on what is JSON and what it says", arguments: 0..<400 as Range<UInt64>)
  func differential(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<25 {
      var text = Array(Self.text(&random, depth: 0).utf8)
      if Int.random(in: 0..<3, using: &random) > 0 { Self.damage(&text, &random) }
      var (ours, reason): (JSONValue?, JSONSyntaxError.Reason?)
      do throws(JSONSyntaxError) { ours = try JSONValue(parsing: text) } catch { reason = error.reason }
      let theirs = try? JSONSerialization.jsonObject(with: Data(text), options: [.fragmentsAllowed])
      let shown = String(decoding: text, as: UTF8.self)
      // Foundation takes no number that no Double has and no lone surrogate, which we read as U+FFFD; and in a string
      // with escapes it overlooks control characters.
      if let ours, theirs == nil, Self.hasExtremeNumber(ours) || ours.serializedText.contains("\u{FFFD}") { continue }
      if case .controlCharacter? = reason, shown.contains("\\") { continue }
      // It takes a comma before the end, which RFC 8259 does not.
      if case .unexpectedByte(UInt8(ascii: "}"), "a member name in quotes")? = reason { continue }
      if case .unexpectedByte(UInt8(ascii: "]"), "a value")? = reason { continue }
      #expect((ours != nil) == (theirs != nil), "seed \(seed), \(reason.map { "\($0)" } ?? "taken"): \(shown)")
      if let ours, let theirs { #expect(Self.areSame(ours, theirs), "seed \(seed): \(shown)") }
    }
  }

  private static func text(_ random: inout SplitMix64, depth: Int) -> String {
    let space = ["", "", "", " ", "\n", "\t\r"].randomElement(using: &random) ?? ""
    let value: String
    switch Int.random(in: 0..<(depth < 4 ? 9 : 6), using: &random) {
    case 0: value = ["true", "false", "null"].randomElement(using: &random) ?? ""
    case 1: value = String(Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random))
    case 2: value = number(&random)
    case 3, 4, 5: value = string(&random)
    case 6:
      value = "[" + (0..<Int.random(in: 0..<5, using: &random)).map { _ in text(&random, depth: depth + 1) }
        .joined(separator: ",") + "]"
    default:
      // No name twice: which of the two counts is not defined.
      value = "{" + (0..<Int.random(in: 0..<5, using: &random)).map { index in
        "\"\(index)" + string(&random).dropFirst() + space + ":" + text(&random, depth: depth + 1)
      }.joined(separator: ",") + "}"
    }
    return space + value + space
  }

  private static func number(_ random: inout SplitMix64) -> String {
    let whole = String(UInt64.random(in: 0...1_000_000, using: &random))
    let fraction = Bool.random(using: &random) ? "." + String(UInt64.random(in: 0...99_999, using: &random)) : ""
    let exponent = Bool.random(using: &random) ? "e" + String(Int.random(in: -30...30, using: &random)) : ""
    return (Bool.random(using: &random) ? "-" : "") + whole + fraction + exponent
  }

  private static func string(_ random: inout SplitMix64) -> String {
    let parts = [
      "a", "b", "7", " ", "/", "é", "e\u{301}", "😀", "\u{2028}", "\\n", "\\\"", "\\\\", "\\/", "\\u0041", "\\u00e9",
      "\\ud83d\\ude00", "\\t", "{", "]", ":", ",",
    ]
    return "\"" + (0..<Int.random(in: 0..<8, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
      .joined() + "\""
  }

  private static func damage(_ text: inout [UInt8], _ random: inout SplitMix64) {
    // Neither zero bytes, by which Foundation tells UTF-16, nor what makes lone surrogates of escapes.
    let bytes = Array("{}[]\",:eE+-.0129tfnul \n\t/xa'".utf8) + [0x1F, 0x7F, 0xFF, 0xC3]
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let place = Int.random(in: 0...text.count, using: &random)
      let byte = bytes.randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<3, using: &random) {
      case 0: text.insert(byte, at: place)
      case 1 where place < text.count: text.remove(at: place)
      default: if place < text.count { text[place] = byte }
      }
    }
  }

  private static func hasExtremeNumber(_ value: JSONValue) -> Bool {
    switch value {
    case .number(let number): !number.double.isFinite || number.double.magnitude < 1e-300
    case .array(let array): array.contains(where: hasExtremeNumber)
    case .object(let object): object.contains { hasExtremeNumber($0.value) }
    default: false
    }
  }

  private static func areSame(_ ours: JSONValue, _ theirs: Any) -> Bool {
    switch ours {
    case .null: return theirs is NSNull
    case .bool(let bool): return (theirs as? Bool) == bool
    case .number(let number):
      guard let other = theirs as? NSNumber else { return false }
      if let integer = Int64(number.text) { return other.int64Value == integer }
      // Foundation goes by way of a decimal number for some, and is then off by the last bit.
      return abs(other.doubleValue - number.double) <= abs(number.double) * 0x1p-51
    case .string(let string):
      guard let other = theirs as? String else { return false }
      return string.utf8.elementsEqual(other.utf8)
    case .array(let array):
      guard let other = theirs as? [Any], other.count == array.count else { return false }
      return zip(array, other).allSatisfy(areSame)
    case .object(let object):
      guard let other = theirs as? [String: Any], other.count == object.count else { return false }
      return object.allSatisfy { member in other[member.key].map { areSame(member.value, $0) } ?? false }
    }
  }
}
