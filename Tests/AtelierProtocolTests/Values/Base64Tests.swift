import AtelierProtocol
import Support
import Testing

@Suite("Base64")
struct Base64Tests {
  @Test(
    "agrees with the vectors of RFC 4648 section 10",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func vectors(plain: String, text: String) {
    #expect(Base64.encoded(Array(plain.utf8)) == text)
    #expect(Base64.decoded(text) == Array(plain.utf8))
    #expect(Base64.decodedCount(text) == plain.utf8.count)
  }

  @Test("reads back every sequence of bytes", arguments: 0..<50 as Range<UInt64>)
  func roundTrip(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    let text = Base64.encoded(bytes)
    #expect(Base64.decoded(text) == bytes, "seed \(seed)")
    #expect(Base64.decodedCount(text) == bytes.count, "seed \(seed)")
  }

  @Test(
    "is read strictly",
    arguments: [
      "Z", "Zg", "Zg=", "Zg===", "=", "====", "Zm9v\n", " Zm9v", "Zm 9", "Zm9-", "Zm9_", "Zg==Zg==", "Z=g=", "Zh==",
      "Zm9=", "Zm9vé", "data:image/png;base64,Zm9v",
    ])
  func refusals(text: String) {
    #expect(Base64.decodedCount(text) == nil)
    #expect(Base64.decoded(text) == nil)
  }
}
