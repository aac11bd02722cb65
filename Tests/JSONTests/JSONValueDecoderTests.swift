import JSON
import Testing

@Suite("Reading Codable types from JSON")
struct JSONValueDecoderTests {
  private struct Style: Codable, Equatable {
    var angle: Angle
    var background: Background?
  }

  private enum Background: String, Codable, CaseIterable { case professional, casual }

  private struct Angle: Codable, Equatable {
    var degrees: Double

    init(degrees: Double) { self.degrees = degrees }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      guard let number = try? container.decode(Double.self), (-1...1).contains(number) else {
        throw JSONExpectation("a number from -1 to 1")
      }
      degrees = number
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(degrees)
    }
  }

  private struct Order: Codable, Equatable {
    var prompt: String
    var count: Int8?
    var style: Style?
    var references: [Style]?
    var metadata: JSONObject?
    var tags: [String: Int]?
    var anything: JSONValue?
  }

  @Test("decoding a Codable type takes every part over exactly")
  func decodes() throws {
    let value: JSONValue = [
      "prompt": "a lighthouse", "count": 4, "style": ["angle": 0.5, "background": "casual"],
      "references": [["angle": -1], ["angle": 1, "_meta": 1]], "metadata": ["z": 1, "a": [1, ["b": nil]]],
      "tags": ["one": 1], "anything": ["x": [nil]], "_meta": ["trace": 1],
    ]
    let order: Order = try JSONValueDecoder(unknownMembers: .reject).decode(from: value)
    #expect(order.style == Style(angle: Angle(degrees: 0.5), background: .casual))
    #expect(order.references?.map(\.angle.degrees) == [-1, 1])
    #expect(order.metadata?.keys == ["z", "a"])
    #expect(order.tags == ["one": 1])
    #expect(order.anything == ["x": [nil]])
    var again = try JSONValueEncoder().encode(order)
    #expect(try JSONValueDecoder(unknownMembers: .reject).decode(Order.self, from: again) == order)
    again = try JSONValueEncoder().encode(Order(prompt: "p"))
    #expect(again == ["prompt": "p"], "members that are nil are omitted")
  }

  @Test(
    "decoding says where and what when something is wrong",
    arguments: [
      (#"{}"#, "/prompt", "a string"),
      (#"{"prompt":1}"#, "/prompt", "a string"),
      (#"{"prompt":null}"#, "/prompt", "a string"),
      (#"{"prompt":"p","count":128}"#, "/count", "an integer from -128 to 127"),
      (#"{"prompt":"p","count":1.5}"#, "/count", "an integer from -128 to 127"),
      (#"{"prompt":"p","count":"1"}"#, "/count", "an integer from -128 to 127"),
      (#"{"prompt":"p","style":{"angle":2}}"#, "/style/angle", "a number from -1 to 1"),
      (#"{"prompt":"p","style":[]}"#, "/style", "an object"),
      (#"{"prompt":"p","style":{}}"#, "/style/angle", "a number from -1 to 1"),
      (#"{"prompt":"p","style":{"angle":0,"background":"x"}}"#, "/style/background", "professional or casual"),
      (#"{"prompt":"p","references":[{"angle":0},{"angle":"x"}]}"#, "/references/1/angle", "a number from -1 to 1"),
      (#"{"prompt":"p","references":{}}"#, "/references", "an array"),
      (
        #"{"prompt":"p","references":[{"angle":0,"a/b~c":1}]}"#, "/references/0/a~1b~0c",
        "only the members angle, background"
      ),
      (
        #"{"prompt":"p","promt":"q"}"#, "/promt",
        "only the members anything, count, metadata, prompt, references, style, tags"
      ),
      (#"{"prompt":"p","metadata":[]}"#, "/metadata", "an object"),
      (#"{"prompt":"p","tags":{"x":"y"}}"#, "/tags/x", "an integer"),
      (#"[]"#, "", "an object"),
    ])
  func refuses(text: String, path: String, expected: String) throws {
    let value = try JSONValue(parsing: text.utf8)
    let failure = #expect(throws: JSONDecodingFailure.self) {
      try JSONValueDecoder(unknownMembers: .reject).decode(Order.self, from: value)
    }
    #expect(failure?.path == path)
    #expect(failure?.expected == expected)
    #expect(failure?.message.hasSuffix(".") == true)
  }

  @Test("decoding ignores unknown members when told to")
  func ignores() throws {
    let value: JSONValue = ["prompt": "p", "rootUri": "file:///"]
    #expect(try JSONValueDecoder(unknownMembers: .ignore).decode(Order.self, from: value) == Order(prompt: "p"))
  }

  @Test("decoding reads integers exactly or not at all")
  func integers() throws {
    let decoder = JSONValueDecoder(unknownMembers: .reject)
    func read<T: Decodable>(_ text: String, _: T.Type) throws -> T {
      try decoder.decode(T.self, from: JSONValue(parsing: text.utf8))
    }
    #expect(try read("9223372036854775807", Int64.self) == .max)
    #expect(try read("-9223372036854775808", Int64.self) == .min)
    #expect(try read("18446744073709551615", UInt64.self) == .max)
    #expect(try read("1.0", Int.self) == 1)
    #expect(try read("1.50e1", Int.self) == 15)
    #expect(try read("-0", Int.self) == 0)
    #expect(try read("0e99999999999999999999", Int.self) == 0)
    for text in [
      "9223372036854775808", "1e400", "1e-1", "0.5", "1e99999999999999999999", "true", "-9223372036854775809",
    ] {
      #expect(throws: JSONDecodingFailure.self, "\(text)") { try read(text, Int64.self) }
    }
    #expect(throws: JSONDecodingFailure.self) { try read("1e400", Double.self) }
    #expect(throws: JSONDecodingFailure.self) { try read("-1", UInt8.self) }
  }
}
