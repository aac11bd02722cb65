import JSON
import Support
import Testing

@Suite("JSON objects")
struct JSONObjectTests {
  @Test("JSON objects behave like an ordered list of members", arguments: 0..<50 as Range<UInt64>)
  func randomRun(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var object = JSONObject()
    var model: [(key: String, value: JSONValue)] = []
    for step in 0..<300 {
      let key =
        ["é", "e\u{301}"].randomElement(using: &random).map { $0 + String(Int.random(in: 0..<20, using: &random)) }
        ?? ""
      let place = model.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
      if Int.random(in: 0..<3, using: &random) == 0 {
        object[key] = nil
        if let place { model.remove(at: place) }
      } else {
        object[key] = .number(JSONNumber(step))
        if let place {
          model[place].value = .number(JSONNumber(step))
        } else {
          model.append((key, .number(JSONNumber(step))))
        }
      }
      #expect(
        object.elementsEqual(model) { $0.key.utf8.elementsEqual($1.key.utf8) && $0.value == $1.value },
        "seed \(seed), step \(step)")
    }
    let shuffled = JSONObject(members: model.shuffled(using: &random).map { ($0.key, $0.value) })
    #expect(shuffled == object, "equal in any order")
    #expect(shuffled.hashValue == object.hashValue)
  }

  @Test("JSON objects give their parts, and nothing where there is nothing")
  func access() {
    let value: JSONValue = ["a": [1, "x", 2.5, true, nil], "b": ["c": 7]]
    #expect(value["a"]?[0]?.int64 == 1)
    #expect(value["a"]?[1]?.string == "x")
    #expect(value["a"]?[2]?.double == 2.5)
    #expect(value["a"]?[2]?.int64 == nil)
    #expect(value["a"]?[3]?.bool == true)
    #expect(value["a"]?[4]?.isNull == true)
    #expect(value["a"]?[5] == nil)
    #expect(value["a"]?[-1] == nil)
    #expect(value["b"]?["c"] == 7)
    #expect(value["b"]?["d"] == nil)
    #expect(value["a"]?["c"] == nil)
  }
}
