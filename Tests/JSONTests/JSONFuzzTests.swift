import JSON
import Support
import Testing

@Suite("Random JSON")
struct JSONFuzzTests {
  private static func value(_ random: inout SplitMix64, depth: Int = 0) -> JSONValue {
    switch Int.random(in: 0..<(depth < 5 ? 8 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .number(JSONNumber(Int64.random(in: .min ... .max, using: &random)))
    case 3: return JSONNumber(Double(bitPattern: random.next())).map(JSONValue.number) ?? .null
    case 4, 5: return .string(text(&random))
    case 6: return .array((0..<Int.random(in: 0..<6, using: &random)).map { _ in value(&random, depth: depth + 1) })
    default:
      let count = Int.random(in: 0..<(depth == 0 ? 40 : 6), using: &random)
      return .object(JSONObject(members: (0..<count).map { _ in (text(&random), value(&random, depth: depth + 1)) }))
    }
  }

  private static func text(_ random: inout SplitMix64) -> String {
    let alphabet: [Unicode.Scalar] = [
      "a", "b", "\"", "\\", "/", "\n", "\r", "\u{0}", "\u{1F}", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}", "é",
      "\u{301}", "😀", "\u{FFFF}", "\u{10FFFF}",
    ]
    var view = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<12, using: &random) { view.append(alphabet.randomElement(using: &random) ?? "a") }
    return String(view)
  }

  @Test("random JSON comes back as it was written, on one line", arguments: 0..<300 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let value = Self.value(&random)
    let bytes = value.serialized()
    let again = try JSONValue(parsing: bytes)
    #expect(again == value, "seed \(seed)")
    #expect(again.serialized() == bytes, "seed \(seed)")
    let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
    let isOneLine = text.allSatisfy { $0.value >= 0x20 && $0 != "\u{85}" && $0 != "\u{2028}" && $0 != "\u{2029}" }
    #expect(isOneLine, "seed \(seed)")
  }

  @Test(
    "random JSON that was damaged is refused or means something, and never more than that",
    arguments: 0..<300 as Range<UInt64>)
  func mutations(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let original = Self.value(&random).serialized()
    let bytesOfInterest = Array("{}[]\",:\\u0123456789eE+-.tfn \n".utf8) + [0x00, 0x80, 0xC3, 0xE2, 0xF0, 0xFF]
    for _ in 0..<30 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let byte = bytesOfInterest.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.insert(byte, at: place)
        case 1 where place < bytes.count: bytes.remove(at: place)
        case 2 where place < bytes.count: bytes[place] = byte
        default: bytes.removeSubrange(place..<min(place + 5, bytes.count))
        }
      }
      do throws(JSONSyntaxError) {
        let value = try JSONValue(parsing: bytes)
        // What is accepted is stable from then on.
        let again = try JSONValue(parsing: value.serialized())
        #expect(again == value, "seed \(seed)")
      } catch {
        #expect((0...bytes.count).contains(error.offset), "seed \(seed)")
      }
    }
  }
}
