import JSON
import Testing

@Suite("Texts that not every reader may be told")
struct DisclosingEncoderTests {
  private struct Private: Encodable {
    var text: String

    func encode(to encoder: any Encoder) throws {
      if let encoder = encoder as? any DisclosingEncoder, !encoder.isDisclosed(text) { return encoder.leaveOut() }
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  private struct Holder: Encodable {
    var first = Private(text: "open")
    var second = Private(text: "shut")
    var third: Private? = Private(text: "shut")
    var list = [Private(text: "shut"), Private(text: "open"), Private(text: "shut")]
    var inner = ["a": [Private(text: "shut")], "b": []]
    var text = "shut"
  }

  @Test("an encoder leaves out what is not disclosed, of objects and arrays at any depth, and nothing else")
  func leftOut() throws {
    let told = try JSONValueEncoder(disclosing: { $0 == "open" }).encode(Holder())
    #expect(told["first"] == "open" && told["second"] == nil && told["third"] == nil)
    #expect(told["list"] == ["open"] && told["text"] == "shut")
    #expect(told["inner"]?["a"] == [] && told["inner"]?["b"] == [])
    #expect(try JSONValueEncoder(disclosing: { _ in false }).encode(Private(text: "shut")) == .null)
  }

  @Test("an encoder that is not told what to disclose encodes everything")
  func everything() throws {
    let told = try JSONValueEncoder().encode(Holder())
    #expect(told["second"] == "shut" && told["third"] == "shut" && told["list"] == ["shut", "open", "shut"])
  }
}
