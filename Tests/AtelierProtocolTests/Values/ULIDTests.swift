import AtelierProtocol
import Testing

@Suite("An id that is made")
struct ULIDTests {
  @Test(
    "a new id begins with its time, as the specification's example does",
    arguments: [
      (1_469_918_176_385, "01aryz6s41"), (0, "0000000000"), (-1, "0000000000"), (281_474_976_710_655, "7zzzzzzzzz"),
    ] as [(Int64, String)])
  func time(milliseconds: Int64, digits: String) {
    let text = ULID.text(milliseconds: milliseconds) { 0 }
    #expect(text == digits + String(repeating: "0", count: 16))
  }

  @Test("a new id ends with 80 bits of randomness")
  func randomness() {
    var draws: [UInt64] = [0x00_0000_0001, 0xff_ffff_ffff]
    let text = ULID.text(milliseconds: 0) { draws.removeFirst() }
    #expect(text.suffix(16) == "00000001zzzzzzzz")
  }

  @Test("a new id sorts after those made before")
  func order() {
    var random = SystemRandomNumberGenerator()
    let ids = (0..<1_000).map { ULID.text(milliseconds: 1_700_000_000_000 + $0 * 7) { random.next() } }
    #expect(ids == ids.sorted())
  }
}
