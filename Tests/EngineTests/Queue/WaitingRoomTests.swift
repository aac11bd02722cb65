import AtelierProtocol
import Store
import Support
import Testing

@testable import Engine

@Suite("The waiting room")
struct WaitingRoomTests {
  private typealias Step = WaitingRoom.Step

  private static let now = Timestamp(milliseconds: 1_000_000)
  private static let before = Timestamp(milliseconds: 999_999)
  private static let later = Timestamp(milliseconds: 1_000_001)

  /// How the queue stands with these of ours, all for one provider.
  private static func standing(_ ids: [GenerationID]) -> QueueStanding {
    QueueStanding(
      own: ids.enumerated().map { .init(id: $1, account: "anna", provider: "far", position: $0 + 1) },
      waiting: ["far": ids.count])
  }

  private func steps(_ change: (inout QueueStanding) -> Void, probing: Set<ProviderID> = []) -> [WaitingRoom.Step] {
    var room = WaitingRoom()
    room.enter("a")
    room.enter("b")
    var standing = Self.standing(["a", "b"])
    change(&standing)
    return room.take(standing, at: Self.now, probing: probing)
  }

  @Test("begins all in order once their provider can be reached, and not twice")
  func begins() {
    var room = WaitingRoom()
    for id in ["a", "b", "c"] as [GenerationID] { room.enter(id) }
    room.leave("b")
    #expect(room.take(Self.standing(["c", "b", "a"]), at: Self.now, probing: []) == [.begin(["c", "a"])])
    #expect(room.take(Self.standing(["c", "b", "a"]), at: Self.now, probing: []) == [])
    #expect(room.all.isEmpty && !room.isQuiet)
    #expect(room.take(QueueStanding(), at: Self.now, probing: []) == [])
    #expect(room.isQuiet)
  }

  @Test("looks for a provider that cannot be reached when it is time, once")
  func probes() {
    let due = QueueStanding.Outage(since: Self.before, nextProbe: Self.now)
    let early = QueueStanding.Outage(since: Self.before, nextProbe: Self.later)
    #expect(steps { $0.outages["far"] = due } == [.probe("far")])
    #expect(steps({ $0.outages["far"] = due }, probing: ["far"]) == [])
    #expect(steps { $0.outages["far"] = early } == [])
    #expect(steps { $0.outages["another"] = due } == [.begin(["a", "b"])])
  }

  @Test("keeps to pauses: the provider's, everybody's and an account's")
  func pauses() {
    #expect(steps { $0.cooldowns["far"] = Self.later } == [])
    #expect(steps { $0.cooldowns["far"] = Self.now } == [.begin(["a", "b"])])
    #expect(steps { $0.isPaused = true } == [])
    #expect(steps { $0.pausedAccounts = ["anna"] } == [])
    #expect(steps { $0.pausedAccounts = ["bert"] } == [.begin(["a", "b"])])
  }

  @Test("gives up what is due and takes over what the dead left, also while the queue is paused")
  func dues() {
    #expect(
      steps {
        $0.isPaused = true
        $0.nextDeadline = Self.now
        $0.othersWait = true
      } == [.expire, .recover])
    #expect(steps { $0.nextDeadline = Self.later } == [.begin(["a", "b"])])
  }

  @Test("begins each of them once, whatever comes in whatever order", arguments: 0..<100 as Range<UInt64>)
  func once(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var room = WaitingRoom()
    var inside: [GenerationID] = []
    var begun: [GenerationID] = []
    for number in 0..<200 {
      let id = GenerationID(rawValue: "gen_\(number)")
      switch random.next() % 4 {
      case 0, 1:
        room.enter(id)
        inside.append(id)
      case 2:
        if let one = inside.randomElement(using: &random) {
          room.leave(one)
          inside.removeAll { $0 == one }
        }
      default:
        var standing = Self.standing(inside)
        if random.next() % 2 == 0 { standing.outages["far"] = .init(since: Self.before, nextProbe: Self.later) }
        for case .begin(let ids) in room.take(standing, at: Self.now, probing: []) {
          #expect(ids == inside, "seed \(seed)")
          begun += ids
          inside = []
        }
      }
      #expect(room.all == Set(inside), "seed \(seed)")
    }
    #expect(Set(begun).count == begun.count, "seed \(seed)")
  }
}
