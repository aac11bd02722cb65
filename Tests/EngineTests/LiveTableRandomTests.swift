import AtelierProtocol
import Support
import Testing

@testable import Engine

@Suite("The table of live generations, in random orders of all events")
struct LiveTableRandomTests {
  /// A table, and what its actions came to so far.
  private struct Run {
    let seed: UInt64
    var random: SplitMix64
    var table = LiveTable()
    var works: [GenerationID: GenerationWork] = [:]
    var now: Int64 = 0
    var lastWaiter = 0
    /// The waiters that are neither answered nor gone.
    var waiting: Set<Int> = []
    var accepted: Set<GenerationID> = []
    var ended: Set<GenerationID> = []
    /// How often each generation was settled: its end written, or given back for another process to settle.
    var settlements: [GenerationID: Int] = [:]
    var starts: [GenerationID: Int] = [:]
    var returns: [GenerationID: Int] = [:]

    init(seed: UInt64) {
      self.seed = seed
      random = SplitMix64(seed: seed)
    }

    var moment: Moment { LiveFixture.moment(now) }

    /// Requests a generation, or claims one that another process has accepted.
    mutating func request(_ id: GenerationID, mayClaim: Bool = true) throws {
      let work = LiveFixture.work(
        id, isDetached: random.next() % 3 == 0, mustWait: random.next() % 4 == 0, count: Int(random.next() % 2) + 1)
      if mayClaim, random.next() % 4 == 0 {
        guard table.reserveSlot(of: LiveFixture.provider.id, capacity: 2) else { return }
        works[id] = work
        try check(table.apply(try .named(.claimed, for: work, leaving: anyLeaving()), to: id, at: moment))
        accepted.insert(id)
      } else {
        works[id] = work
        _ = try table.request(work, waiter: work.isDetached ? nil : nextWaiter(), limit: 100, at: moment)
      }
    }

    /// Mostly that it serves.
    mutating func anyLeaving() -> Leaving {
      random.next() % 4 == 0 ? Leaving.allCases.randomElement(using: &random) ?? .notYet : .notYet
    }

    mutating func nextWaiter() -> Int {
      lastWaiter += 1
      waiting.insert(lastWaiter)
      return lastWaiter
    }

    mutating func watch(_ id: GenerationID) {
      let number = nextWaiter()
      let watcher = LiveGeneration.Waiter.watcher(Watcher(requestID: nil, wantsProgress: true))
      if !table.add(random.next() % 2 == 0 ? .process : watcher, numbered: number, to: id) { waiting.remove(number) }
    }

    mutating func apply(_ event: LiveTable.Event, to id: GenerationID) throws {
      now += 1
      if case .claimed = event {
        // Nothing is claimed twice, or without a slot; nor is anything that was never asked for here.
        guard table[id] != nil, table.reserveSlot(of: LiveFixture.provider.id, capacity: 2) else { return }
      }
      let before = table[id]
      try check(table.apply(event, to: id, at: moment))
      if case .accepted = event, before != nil { accepted.insert(id) }
      if case .claimed = event, before?.isAccepted == false { accepted.insert(id) }
      if before != nil, table[id] == nil { ended.insert(id) }
      if before?.word == "given back", table[id] == nil { settlements[id, default: 0] += 1 }
      if before?.word == "running", table[id]?.isInQueue == true { returns[id, default: 0] += 1 }
      // A claimed generation gets as many slots as it needs, even beyond the capacity.
      let works = table.generations.values.filter { $0.started != nil && $0.work.atOnce == 1 }
      #expect(works.count <= 2, "seed \(seed): \(works.count) hold slots")
    }

    mutating func check(_ actions: [LiveTable.Action]) throws {
      for action in actions {
        if let id = action.continues { #expect(!ended.contains(id), "seed \(seed): \(action.word) after the end of \(id)") }
        switch action {
        case .write(let ending, _): settlements[ending.work.id, default: 0] += 1
        case .start(let work, _, _): starts[work.id, default: 0] += 1
        case .answer(let numbers, _):
          for number in numbers where waiting.remove(number) == nil {
            Issue.record("seed \(seed): \(number) was answered twice")
          }
        default: break
        }
      }
    }

    /// Lets everything come to its end, as the manager does.
    mutating func finish() throws {
      while let (id, live) = table.generations.min(by: { $0.key.rawValue < $1.key.rawValue }), let work = works[id] {
        let name: LiveTable.Event.Name =
          switch live.stage {
          case .accepting: random.next() % 2 == 0 ? .accepted : .refused
          case .inQueue, .waitingForSlot, .running: .cancelled
          case .ending(let end): end.kind == .final(live.state) ? .written : random.next() % 2 == 0 ? .released : .foundSent
          }
        try apply(try .named(name, for: work), to: id)
      }
    }
  }

  @Test(
    "every accepted generation ends once, is settled once and answered once, and no slot is lost",
    arguments: 0..<400 as Range<UInt64>)
  func endsOnce(seed: UInt64) throws {
    var run = Run(seed: seed)
    let ids = (1...6).map { GenerationID(rawValue: "gen_\($0)") }
    for _ in 0..<120 {
      guard let id = ids.randomElement(using: &run.random) else { continue }
      guard let work = run.works[id] else {
        try run.request(id)
        continue
      }
      switch run.random.next() % 8 {
      case 0: run.watch(id)
      case 1:
        if let number = run.table[id]?.waiters.keys.min(), run.table.removeWaiter(number, of: id) {
          run.waiting.remove(number)
        }
      default:
        // Leaving ends everything at once, so it comes seldom.
        let isLast = run.random.next() % 12 == 0
        let names = LiveTable.Event.Name.allCases.filter { isLast || ($0 != .abandoning && $0 != .inputEnded) }
        // The table gives slots itself.
        guard let name = names.randomElement(using: &run.random), name != .slotGiven else { continue }
        try run.apply(try .named(name, for: work, leaving: run.anyLeaving()), to: id)
      }
    }
    try run.finish()
    #expect(run.table.generations.isEmpty, "seed \(seed)")
    #expect(run.waiting.isEmpty, "seed \(seed): \(run.waiting) were never answered")
    for id in run.accepted { #expect(run.settlements[id] == 1, "seed \(seed): \(id)") }
    for id in ids where !run.accepted.contains(id) { #expect(run.settlements[id] == nil, "seed \(seed): \(id)") }
    for (id, count) in run.starts { #expect(count <= 1 + run.returns[id, default: 0], "seed \(seed): \(id)") }
    let free = (1...3).map { _ in run.table.reserveSlot(of: LiveFixture.provider.id, capacity: 2) }
    #expect(free == [true, true, false], "seed \(seed): a slot was lost")
  }

  @Test("a generation that is cancelled ends as cancelled, wherever it stands", arguments: 0..<200 as Range<UInt64>)
  func cancelled(seed: UInt64) throws {
    var run = Run(seed: seed)
    let id: GenerationID = "gen_1"
    // Others hold the slots in half of the runs.
    if run.random.next() % 2 == 0 { for other: GenerationID in ["gen_2", "gen_3"] { try run.request(other) } }
    try run.request(id, mayClaim: false)
    let work = try #require(run.works[id])
    let quiet: [LiveTable.Event.Name] = [.accepted, .claimed, .moved, .returnedToQueue]
    for _ in 0..<(run.random.next() % 6) {
      guard let name = quiet.randomElement(using: &run.random) else { continue }
      try run.apply(try .named(name, for: work), to: id)
    }
    let stage = run.table[id]?.word ?? "absent"
    try run.apply(.cancelled, to: id)
    try run.apply(try .named(.accepted, for: work), to: id)
    #expect(run.table[id]?.word == "ending as cancelled", "seed \(seed): cancelled while \(stage)")
    #expect(run.settlements[id] == 1, "seed \(seed): cancelled while \(stage)")
    try run.finish()
    #expect(run.waiting.isEmpty, "seed \(seed): cancelled while \(stage)")
  }
}
