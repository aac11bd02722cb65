import Encodings
import Support
import Testing

@Suite("Base64")
struct Base64Tests {
  @Test(
    "base64 agrees with the vectors of RFC 4648 section 10",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func vectors(plain: String, text: String) {
    #expect(Base64.encoded(Array(plain.utf8)) == text)
    #expect(Base64.decoded(text) == Array(plain.utf8))
    #expect(Base64.decodedCount(text) == plain.utf8.count)
  }

  @Test("base64 reads back every sequence of bytes", arguments: 0..<50 as Range<UInt64>)
  func roundTrip(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    let text = Base64.encoded(bytes)
    #expect(Base64.decoded(text) == bytes, "seed \(seed)")
    #expect(Base64.decodedCount(text) == bytes.count, "seed \(seed)")
  }

  @Test(
    "base64 is read strictly",
    arguments: [
      "Z", "Zg", "Zg=", "Zg===", "=", "====", "Zm9v\n", " Zm9v", "Zm 9", "Zm9-", "Zm9_", "Zg==Zg==", "Z=g=", "Zh==",
      "Zm9=", "Zm9vé", "data:image/png;base64,Zm9v",
    ])
  func refusals(text: String) {
    #expect(Base64.decodedCount(text) == nil)
    #expect(Base64.decoded(text) == nil)
  }

  @Test(
    "base64 is read leniently in either alphabet, with or without padding, and strict in one form alone",
    arguments: 0..<64 as Range<Int>)
  func forms(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8.random(in: 200...255, using: &random) }
    let standard = Base64.encoded(bytes)
    let other = String(standard.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    for text in [standard, other, standard, other].enumerated().map({ $0 < 2 ? $1 : String($1.prefix { $0 != "=" }) }) {
      let decoded = Base64.decodedLeniently(text)
      #expect(decoded?.bytes == bytes)
      #expect(decoded?.isStrict == (text == standard))
    }
    let urlText = Base64URL.encoded(bytes)
    #expect(urlText == String(other.prefix { $0 != "=" }) && Base64URL.decoded(urlText.utf8) == bytes)
    #expect(Base64URL.decoded(standard.utf8) == (standard == urlText ? bytes : nil))
  }

  @Test("any other text is refused as base64, leniently read too", arguments: [
    "A", "AAAAA", "AA=", "A===", "====", "=", "AA==A", "AA AA", "AA\nAA", "ÄÄÄÄ", "AAA!", "AAAAAA*A", "!AAAAAAA", "AA!=",
  ])
  func bad(text: String) {
    #expect(Base64.decodedLeniently(text) == nil)
    #expect(Base64URL.decoded(text.utf8) == nil)
  }

  @Test("base64 is strict just where its bytes are encoded to the same text", arguments: 0..<300 as Range<UInt64>)
  func strict(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let characters = Array("AZaz09+/-_=Q")
    let text = String(
      (0..<Int.random(in: 0...12, using: &random)).map { _ in characters.randomElement(using: &random) ?? "A" })
    let decoded = Base64.decodedLeniently(text)
    #expect(decoded.map { $0.isStrict == (Base64.encoded($0.bytes) == text) } ?? true, "seed \(seed): \(text)")
    #expect((Base64.decoded(text) != nil) == (decoded?.isStrict ?? false), "seed \(seed): \(text)")
    if let strict = Base64.decoded(text) { #expect(decoded?.bytes == strict, "seed \(seed): \(text)") }
  }
}
