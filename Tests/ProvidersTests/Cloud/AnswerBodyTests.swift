import JSON
import Support
import Testing

@testable import Providers

@Suite("The body of an answer, its pictures cut out")
struct AnswerBodyTests {
  private static let long = String(repeating: "QUJD", count: 100)

  private static func body(_ text: String) -> AnswerBody? { AnswerBody(Array(text.utf8), maximumValues: 1000) }

  @Test(
    "the body of an answer has short texts in place of its pictures, and gives each its own",
    arguments: ["data", "b64_json"])
  func cut(name: String) throws {
    let other = String(repeating: "WFla", count: 200)
    let text = #"{"a":[{"\#(name)":"\#(Self.long)"},{"\#(name)" :\#n "\#(other)","b":"data"},{"\#(name)":"QQ=="}]}"#
    let body = try #require(Self.body(text))
    #expect(body.json.serialized().count < 200)
    #expect(body.base64(body.json["a"]?[0]?[name]) == ReceivedBase64(Self.long))
    #expect(body.base64(body.json["a"]?[1]?[name]) == ReceivedBase64(other))
    #expect(body.base64(body.json["a"]?[2]?[name]) == ReceivedBase64("QQ=="))
    #expect(body.base64(nil) == ReceivedBase64("") && body.base64(7) == ReceivedBase64(""))
    #expect(body.restored(body.json) == (try JSONValue(parsing: Array(text.utf8))))
  }

  @Test("the body of an answer keeps every other text, and what is no plain text, as it is", arguments: [
    #"{"text":"LONG"}"#, #"["data","LONG"]"#, #"{"x\"data":"LONG"}"#, #"{"data":["LONG"]}"#,
    #"{"a":"\"data\":","b":"LONG"}"#, #"{"data":"LONG\n"}"#, #"{"data":"LONGé"}"#, #"{"data":{"data2":"LONG"}}"#,
    #"{"thoughtSignature":"LONG","data":1}"#,
  ])
  func kept(form: String) throws {
    let text = Array(form.replacing("LONG", with: Self.long).utf8)
    #expect(try #require(AnswerBody(text, maximumValues: 1000)).json == (try JSONValue(parsing: text)))
  }

  @Test("the body of an answer is none where it is no JSON, or too much", arguments: [
    "", "{", #"{"data":"LONG"#, #"{"data":"LONG}"#, #"{"data":"LONG"]"#, #"{"data" "LONG"}"#, "{\"data\":\"LONG\n\"}",
    #"{"data":"LONG\u12"}"#, #"[1,"data":"LONG"]"#, #"{"data":"LONG"}x"#,
  ])
  func none(form: String) {
    let text = form.replacing("LONG", with: Self.long)
    #expect(Self.body(text) == nil)
    #expect(AnswerBody(Array("[1,2,3]".utf8), maximumValues: 3) == nil)
  }

  @Test("the body of an answer cannot be made to give what it does not hold", arguments: [
    "picture 1", "picture -1", "picture 99999999999999999999", "picture ", "picture 0x", "",
  ])
  func forged(rest: String) throws {
    let body = try #require(Self.body(#"{"data":"\#(Self.long)","b":"\u0000\#(rest)"}"#))
    #expect(body.base64(body.json["b"]) == ReceivedBase64("\u{0}" + rest))
    #expect(body.restored(body.json)["b"]?.string == "\u{0}" + rest)
  }

  @Test(
    "the body of an answer is read or refused as the parser would, wherever bytes are damaged",
    arguments: 0..<300 as Range<UInt64>)
  func damaged(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var bytes = Array(
      #"{"a":{"data":"\#(Self.long)","t":"x\"y\\"},"b64_json" : "\#(Self.long)","c":[1,"data",{"data":"QQ=="}]}"#.utf8)
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let index = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0...2, using: &random) {
      case 0: bytes[index] = [0x22, 0x5c, 0x0a, 0x7f, 0xc3, 0x3a, 0x7b].randomElement(using: &random) ?? 0
      case 1: bytes.remove(at: index)
      default: bytes.removeLast(min(bytes.count - 1, Int.random(in: 0...9, using: &random)))
      }
    }
    let body = AnswerBody(bytes, maximumValues: 1000)
    let plain = try? JSONValue(parsing: bytes)
    #expect((body == nil) == (plain == nil), "seed \(seed)")
    if let body { #expect(body.restored(body.json) == plain, "seed \(seed)") }
  }
}
