import AtelierProtocol
import Support
import Testing

@testable import Engine

@Suite("The slots of providers", .timeLimit(.minutes(2)))
struct SlotsTests {
  /// The same, slowly: a list in order of arrival, looked through from the front.
  private struct Model {
    struct Entry {
      var id: GenerationID
      var provider: ProviderID
      var units: Int
      var holds: Bool
    }

    let capacity = 3
    var entries: [Entry] = []
    var reserved: [ProviderID: Int] = [:]

    func used(_ provider: ProviderID) -> Int {
      entries.reduce(reserved[provider, default: 0]) { $0 + ($1.provider == provider && $1.holds ? $1.units : 0) }
    }

    func position(of id: GenerationID) -> Int? {
      guard let entry = entries.first(where: { $0.id == id }), !entry.holds else { return nil }
      return entries.filter { $0.provider == entry.provider && !$0.holds }.firstIndex { $0.id == id }.map { $0 + 1 }
    }

    mutating func admit(_ provider: ProviderID) -> [GenerationID] {
      var admitted: [GenerationID] = []
      for index in entries.indices where entries[index].provider == provider && !entries[index].holds {
        guard used(provider) + entries[index].units <= capacity else { break }
        entries[index].holds = true
        admitted.append(entries[index].id)
      }
      return admitted
    }
  }

  @Test(
    "the slots of providers agree with a slow model, whatever enters, leaves and is reserved",
    arguments: 0..<60 as Range<UInt64>)
  func model(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var (slots, model) = (Slots(), Model())
    for step in 0..<300 {
      let provider: ProviderID = random.next() % 3 == 0 ? "b" : "a"
      let id = GenerationID(rawValue: "gen_\(step)")
      switch random.next() % 6 {
      case 0, 1, 2:
        let units = Int(random.next() % 3) + 1
        let holds = slots.enter(id, provider: provider, units: units, capacity: model.capacity)
        model.entries.append(.init(id: id, provider: provider, units: units, holds: false))
        let admitted = model.admit(provider)
        #expect(holds == admitted.contains(id), "seed \(seed), step \(step)")
      case 3, 4:
        guard let victim = model.entries.randomElement(using: &random) else { continue }
        model.entries.removeAll { $0.id == victim.id }
        let (admitted, expected) = (slots.leave(victim.id), model.admit(victim.provider))
        #expect(admitted == expected, "seed \(seed), step \(step)")
        let again = slots.leave(victim.id)
        #expect(again.isEmpty, "seed \(seed), step \(step)")
      default:
        let isFree = model.used(provider) < model.capacity
          && !model.entries.contains { $0.provider == provider && !$0.holds }
        let isReserved = slots.reserve(of: provider, capacity: model.capacity)
        #expect(isReserved == isFree, "seed \(seed), step \(step)")
        guard isFree else { continue }
        if random.next() % 2 == 0 {
          let admitted = slots.dropReservation(of: provider)
          #expect(admitted.isEmpty, "seed \(seed), step \(step)")
        } else {
          // It may need more slots than there are.
          let units = Int(random.next() % 4) + 1
          slots.useReservation(for: id, provider: provider, units: units)
          model.entries.append(.init(id: id, provider: provider, units: units, holds: true))
        }
      }
      for entry in model.entries {
        #expect(slots.position(of: entry.id) == model.position(of: entry.id), "seed \(seed), step \(step)")
      }
    }
  }

  @Test("the slots are given to one that wants more than there are once nobody else has any")
  func tooMany() {
    var slots = Slots()
    let entered = [
      slots.enter("a", provider: "p", units: 1, capacity: 2), slots.enter("b", provider: "p", units: 5, capacity: 2),
      slots.enter("c", provider: "p", units: 1, capacity: 2),
    ]
    #expect(entered == [true, false, false])
    let next = [slots.leave("a"), slots.leave("b")]
    #expect(next == [["b"], ["c"]])
  }
}
