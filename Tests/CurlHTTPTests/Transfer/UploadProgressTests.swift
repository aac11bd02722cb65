import Support
import Testing

@testable import CurlHTTP

@Suite("The steps of an upload")
struct UploadProgressTests {
  @Test("the steps of an upload rise, are a hundredth apart, and end with the whole", arguments: 0..<50 as Range<UInt64>)
  func steps(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let total = Int.random(in: 1...100_000, using: &random)
    var progress = UploadProgress(total: total)
    var (sent, told): (Int, [Int]) = (0, [])
    while sent < total {
      sent = min(total, sent + Int.random(in: 0...max(1, total / 50), using: &random))
      if case .sent(let bytes, of: total) = progress.step(to: sent) { told.append(bytes) }
    }
    let steps = zip([0] + told, told).map { $1 - $0 }
    #expect(steps.dropLast().allSatisfy { $0 >= max(1, total / 100) }, "seed \(seed)")
    #expect(told.last == total, "seed \(seed)")
    #expect(progress.step(to: total) == nil, "seed \(seed)")
  }
}
