import AtelierProtocol
import Support
import Testing

@testable import Providers

@Suite("Base64 that was received")
struct ReceivedBase64Tests {
  @Test("is read in either alphabet, with or without padding, and strict in one form alone", arguments: 0..<64 as Range<Int>)
  func forms(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8.random(in: 200...255, using: &random) }
    let standard = Base64.encoded(bytes)
    let other = String(standard.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    for text in [standard, other, standard, other].enumerated().map({ $0 < 2 ? $1 : String($1.prefix { $0 != "=" }) }) {
      let decoded = ReceivedBase64(text).decoded()
      #expect(decoded?.bytes == bytes)
      #expect(decoded?.isStrict == (text == standard))
    }
  }

  @Test("is nothing else", arguments: [
    "A", "AAAAA", "AA=", "A===", "====", "=", "AA==A", "AA AA", "AA\nAA", "ÄÄÄÄ", "AAA!", "AAAAAA*A", "!AAAAAAA", "AA!=",
  ])
  func bad(text: String) {
    #expect(ReceivedBase64(text).decoded() == nil)
  }

  @Test("is strict just where its bytes are encoded to the same text", arguments: 0..<300 as Range<UInt64>)
  func strict(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let characters = Array("AZaz09+/-_=Q")
    let text = String(
      (0..<Int.random(in: 0...12, using: &random)).map { _ in characters.randomElement(using: &random) ?? "A" })
    let decoded = ReceivedBase64(text).decoded()
    #expect(decoded.map { $0.isStrict == (Base64.encoded($0.bytes) == text) } ?? true, "seed \(seed): \(text)")
    #expect((Base64.decoded(text) != nil) == (decoded?.isStrict ?? false), "seed \(seed): \(text)")
    if let strict = Base64.decoded(text) { #expect(decoded?.bytes == strict, "seed \(seed): \(text)") }
  }

  @Test("may stand anywhere in what came")
  func slice() {
    let body = Array(#"{"data":"QUJD"}"#.utf8)
    #expect(ReceivedBase64(body[9..<13]).decoded()?.bytes == Array("ABC".utf8))
    #expect(ReceivedBase64(body[9..<9]).decoded()?.bytes == [])
  }
}
