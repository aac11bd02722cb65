import Support
import Testing

@testable import JSON
@testable import JSONRPC

@Suite("The requests in flight")
struct InFlightTableTests {
  /// The same rules, written as plainly as possible.
  private struct Model {
    var maximum: Int
    var urgent: [RequestID: Bool] = [:]
    var cancelled: Set<RequestID> = []
    var work: [RequestID: Int] = [:]

    var ordinaryCount: Int { urgent.values.count { !$0 } }
    var urgentCount: Int { urgent.values.count { $0 } }

    mutating func admit(_ id: RequestID, _ isUrgent: Bool) -> InFlightTable<Int>.Admission {
      if urgent[id] != nil { return .duplicate }
      if isUrgent ? urgentCount >= 8 * maximum : ordinaryCount >= maximum { return .full }
      urgent[id] = isUrgent
      return .admitted
    }

    mutating func finish(_ id: RequestID) -> Bool {
      cancelled.remove(id)
      work[id] = nil
      return urgent.removeValue(forKey: id) != nil
    }

    mutating func cancel(_ id: RequestID) -> Int? {
      guard urgent[id] != nil, cancelled.insert(id).inserted else { return nil }
      return work[id]
    }

    mutating func attach(_ value: Int, _ id: RequestID) -> Int? {
      guard urgent[id] != nil else { return nil }
      work[id] = value
      return cancelled.contains(id) ? value : nil
    }
  }

  @Test("the requests in flight keep their rules, whatever happens in whatever order", arguments: 0..<100 as Range<UInt64>)
  func randomRun(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let maximum = Int.random(in: 1...4, using: &random)
    var table = InFlightTable<Int>(maximum: maximum)
    var model = Model(maximum: maximum)
    for step in 0..<400 {
      let number = Int64.random(in: 0..<12, using: &random)
      let id: RequestID = Bool.random(using: &random) ? .number(JSONNumber(number)) : .string(String(number))
      switch Int.random(in: 0..<9, using: &random) {
      case 0...3:
        let isUrgent = Bool.random(using: &random)
        #expect(table.admit(id, isUrgent: isUrgent) == model.admit(id, isUrgent), "seed \(seed), step \(step)")
      case 4, 5: #expect(table.finish(id) == model.finish(id), "seed \(seed), step \(step)")
      case 6: #expect(table.cancel(id) == model.cancel(id), "seed \(seed), step \(step)")
      case 7: #expect(table.attach(step, to: id) == model.attach(step, id), "seed \(seed), step \(step)")
      default:
        guard Int.random(in: 0..<10, using: &random) == 0 else { continue }
        let expected = model.urgent.keys.compactMap { model.cancel($0) }
        #expect(Set(table.cancelAll()) == Set(expected), "seed \(seed), step \(step)")
      }
      #expect(table.count == model.urgent.count, "seed \(seed), step \(step)")
      #expect(Set(table.unansweredIDs) == Set(model.urgent.keys), "seed \(seed), step \(step)")
      #expect(table.contains(id) == (model.urgent[id] != nil), "seed \(seed), step \(step)")
      #expect(table.isEmpty == model.urgent.isEmpty, "seed \(seed), step \(step)")
    }
  }

  @Test("the requests in flight tell ids apart by their very text")
  func exactIDs() {
    var table = InFlightTable<Int>(maximum: 10)
    let ids: [RequestID] = [1, "1", .number(JSONNumber(text: "1.0")!), "\u{E9}", "e\u{301}"]
    for id in ids { #expect(table.admit(id, isUrgent: false) == .admitted, "\(id)") }
    for id in ids { #expect(table.admit(id, isUrgent: true) == .duplicate, "\(id)") }
  }
}
