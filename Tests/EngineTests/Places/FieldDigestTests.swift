import Support
import Testing

@testable import Engine

@Suite("The digest of several fields")
struct FieldDigestTests {
  @Test(
    "the digest of several fields never confuses where one field ends and the next begins",
    arguments: 0..<200 as Range<UInt64>)
  func borders(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let text = (0..<12).map { _ in ["a", "b", "é", "\u{0}", "12"][Int(random.next() % 5)] }.joined()
    var digests: [[UInt8]: [String?]] = [:]
    for _ in 0..<20 {
      // The same characters, cut into fields at other places; some fields are missing.
      var rest = text[...]
      var fields: [String?] = []
      while !rest.isEmpty {
        let count = Int(random.next() % 4)
        fields.append(count == 3 ? nil : String(rest.prefix(count)))
        rest = count == 3 ? rest : rest.dropFirst(count)
        if fields.count > 40 { break }
      }
      var digest = FieldDigest()
      for field in fields { digest.add(field) }
      let bytes = digest.finalized()
      #expect(digests[bytes] == nil || digests[bytes] == fields, "seed \(seed)")
      digests[bytes] = fields
    }
    #expect(digests.count > 1, "seed \(seed)")
  }
}
