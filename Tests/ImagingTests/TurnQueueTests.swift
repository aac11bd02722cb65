import Support
import Testing

@testable import Imaging

@Suite("Whose turn it is")
struct TurnQueueTests {
  @Test("the turns go round in the order of asking, whoever leaves in between", arguments: 0..<100 as Range<UInt64>)
  func order(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var queue = TurnQueue<Int>()
    var model: [(ticket: UInt64, waiter: Int)] = []
    var isTaken = false
    for step in 0..<100 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        if queue.takeIfFree() {
          #expect(!isTaken, "seed \(seed)")
          isTaken = true
        } else {
          let ticket = queue.drawTicket()
          queue.wait(step, ticket: ticket)
          model.append((ticket, step))
        }
      case 2:
        guard let leaving = model.randomElement(using: &random) else { continue }
        #expect(queue.leave(leaving.ticket) == leaving.waiter, "seed \(seed)")
        #expect(queue.leave(leaving.ticket) == nil, "seed \(seed)")
        model.removeAll { $0.ticket == leaving.ticket }
      default:
        guard isTaken else { continue }
        let next = queue.pass()
        #expect(next == model.first?.waiter, "seed \(seed)")
        if model.isEmpty { isTaken = false } else { model.removeFirst() }
      }
    }
  }
}
