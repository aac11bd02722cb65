import Support
import Testing

@testable import TFLite

@Suite("The arena")
struct ArenaLayoutTests {
  @Test("Tensors that live at the same time never share memory", arguments: 0..<60 as Range<UInt64>)
  func noOverlap(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let requests = (0..<30).map { slot -> ArenaLayout.Request in
      let first = Int.random(in: -1...20, using: &random)
      return ArenaLayout.Request(
        slot: slot, size: .random(in: 1...100, using: &random), first: first,
        last: first + Int.random(in: 0...6, using: &random))
    }
    let layout = ArenaLayout(slots: 30, requests: requests)
    for left in requests {
      let start = layout.offsets[left.slot]
      #expect(start >= 0 && start + left.size <= layout.size, "seed \(seed)")
      for right in requests where right.slot > left.slot && left.first <= right.last && right.first <= left.last {
        let other = layout.offsets[right.slot]
        #expect(start + left.size <= other || other + right.size <= start, "seed \(seed): \(left) and \(right)")
      }
    }
  }

  @Test("Memory is used again")
  func reuse() {
    let requests = (0..<10).map { ArenaLayout.Request(slot: $0, size: 160, first: $0, last: $0 + 1) }
    #expect(ArenaLayout(slots: 10, requests: requests).size == 320)
  }

  @Test("The same requests give the same layout in any order")
  func order() {
    let requests = (0..<20).map { ArenaLayout.Request(slot: $0, size: 7 * ($0 % 5) + 1, first: $0 / 2, last: $0) }
    #expect(ArenaLayout(slots: 20, requests: requests) == ArenaLayout(slots: 20, requests: requests.reversed()))
  }
}
