import AtelierProtocol
import Support
import Testing

@testable import Providers

@Suite("Base64 that was received")
struct ReceivedBase64Tests {
  @Test("is read in either alphabet, with or without padding", arguments: 0..<64 as Range<Int>)
  func forms(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8.random(in: 200...255, using: &random) }
    let standard = Base64.encoded(bytes)
    let other = String(standard.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    for text in [standard, other] {
      #expect(ReceivedBase64.decoded(text) == bytes)
      #expect(ReceivedBase64.decoded(String(text.prefix { $0 != "=" })) == bytes)
    }
  }

  @Test("is nothing else", arguments: [
    "A", "AAAAA", "AA=", "A===", "====", "=", "AA==A", "AA AA", "AA\nAA", "ÄÄÄÄ", "AAA!",
  ])
  func bad(text: String) {
    #expect(ReceivedBase64.decoded(text) == nil)
  }
}
