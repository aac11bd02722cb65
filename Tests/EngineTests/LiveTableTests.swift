import AtelierProtocol
import Foundation
import Testing

@testable import Engine

@Suite("The table of live generations")
struct LiveTableTests {
  /// Where a generation stands before the event of a test.
  enum Start: String, CaseIterable {
    case absent, accepting, acceptingWithSlot, acceptingCancelled, inQueue, waitingForSlot, running, processing
    case ending, givenBack
  }

  /// What an event comes to: the stage after it, and the actions.
  private typealias Outcome = (after: String, actions: [String])

  /// What is not named changes nothing and has nothing done: it comes too late, or cannot happen there.
  /// Each line: the start, the event, the stage after it, and the actions. A request waits for the end, so an abandoning
  /// process cancels the generation.
  private static let outcomes = """
    absent | claimed | running | start; tell
    absent | delivered | absent | discard
    accepting | accepted | waiting for a slot | tell
    accepting | refused | absent | answer
    accepting | claimed | running | start; tell
    accepting | slotGiven | accepting with a slot | -
    accepting | cancelled | accepting, cancelled | -
    accepting | endedElsewhere | accepting, cancelled | -
    accepting | interestLost | accepting, cancelled | -
    accepting | abandoning | accepting, cancelled | -
    accepting | delivered | accepting | discard
    acceptingWithSlot | accepted | running | tell; start
    acceptingWithSlot | refused | absent | answer
    acceptingWithSlot | claimed | running | start; tell
    acceptingWithSlot | cancelled | accepting with a slot, cancelled | -
    acceptingWithSlot | endedElsewhere | accepting with a slot, cancelled | -
    acceptingWithSlot | interestLost | accepting with a slot, cancelled | -
    acceptingWithSlot | abandoning | accepting with a slot, cancelled | -
    acceptingWithSlot | delivered | accepting with a slot | discard
    acceptingCancelled | accepted | ending as cancelled | write cancelled
    acceptingCancelled | refused | absent | answer
    acceptingCancelled | claimed | ending as cancelled | write cancelled
    acceptingCancelled | slotGiven | accepting with a slot, cancelled | -
    acceptingCancelled | delivered | accepting, cancelled | discard
    inQueue | accepted | in the queue | tell
    inQueue | claimed | running | start; tell
    inQueue | cancelled | ending as cancelled | write cancelled
    inQueue | endedElsewhere | ending as cancelled | write cancelled
    inQueue | interestLost | ending as cancelled | write cancelled
    inQueue | deadlinePassed | ending as expired | write expired
    inQueue | failed | ending as failed | write failed
    inQueue | inputEnded | given back | release
    inQueue | abandoning | ending as cancelled | write cancelled
    inQueue | delivered | in the queue | discard
    waitingForSlot | accepted | waiting for a slot | tell
    waitingForSlot | slotGiven | running | start
    waitingForSlot | claimed | running | start
    waitingForSlot | cancelled | ending as cancelled | write cancelled
    waitingForSlot | endedElsewhere | ending as cancelled | write cancelled
    waitingForSlot | interestLost | ending as cancelled | write cancelled
    waitingForSlot | deadlinePassed | ending as expired | write expired
    waitingForSlot | failed | ending as failed | write failed
    waitingForSlot | abandoning | ending as cancelled | write cancelled
    waitingForSlot | delivered | waiting for a slot | discard
    running | accepted | running | tell
    running | moved | running | tell
    running | delivered | ending as succeeded | write succeeded
    running | failed | ending as failed | write failed
    running | cancelled | ending as cancelled | stop; write cancelled
    running | endedElsewhere | ending as cancelled | stop; write cancelled
    running | interestLost | ending as cancelled | stop; write cancelled
    running | returnedToQueue | in the queue | tell; look at the queue
    running | abandoning | ending as cancelled | stop; write cancelled
    processing | accepted | running | tell
    processing | delivered | ending as succeeded | write succeeded
    processing | failed | ending as failed | write failed
    processing | cancelled | ending as cancelled | write cancelled, then stop
    processing | endedElsewhere | ending as cancelled | write cancelled, then stop
    processing | interestLost | ending as cancelled | write cancelled, then stop
    processing | returnedToQueue | in the queue | tell; look at the queue
    processing | abandoning | ending as cancelled | write cancelled, then stop
    ending | written | absent | count; answer; slot freed
    ending | cancelled | ending as failed | give up writing
    ending | abandoning | ending as failed | give up writing
    ending | delivered | ending as failed | discard
    givenBack | released | absent | answer
    givenBack | foundSent | ending as cancelled | stop; write cancelled
    givenBack | delivered | given back | discard
    """

  /// - Returns: nil when nothing happens.
  private static func outcome(of name: LiveTable.Event.Name, at start: Start) -> Outcome? {
    for line in outcomes.split(separator: "\n") {
      let cells = line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      if cells.count == 4, cells[0] == start.rawValue, cells[1] == name.rawValue {
        return (cells[2], cells[3] == "-" ? [] : cells[3].components(separatedBy: "; "))
      }
    }
    return nil
  }

  private static let id: GenerationID = "gen_1"
  private static let now = LiveFixture.moment(0)

  /// A table with a generation that stands there, and its work. Where it has no slot, one is reserved, and another
  /// generation holds the other.
  private func table(at start: Start) throws -> (LiveTable, GenerationWork) {
    var table = LiveTable()
    let work = LiveFixture.work(Self.id, mustWait: start == .inQueue)
    if start == .absent { return (table, work) }
    if [.accepting, .acceptingCancelled, .waitingForSlot].contains(start) {
      _ = table.reserveSlot(of: LiveFixture.provider.id, capacity: 2)
      _ = try table.request(LiveFixture.work("gen_2"), waiter: nil, limit: 10, at: Self.now)
    }
    _ = try table.request(work, waiter: start == .givenBack ? nil : 1, limit: 10, at: Self.now)
    func apply(_ name: LiveTable.Event.Name) throws {
      _ = table.apply(try .named(name, for: work), to: Self.id, at: Self.now)
    }
    switch start {
    case .absent, .accepting, .acceptingWithSlot: break
    case .acceptingCancelled: try apply(.cancelled)
    case .inQueue, .waitingForSlot, .running: try apply(.accepted)
    case .processing: for name: LiveTable.Event.Name in [.accepted, .moved] { try apply(name) }
    case .ending: for name: LiveTable.Event.Name in [.accepted, .failed] { try apply(name) }
    case .givenBack: for name: LiveTable.Event.Name in [.accepted, .abandoning] { try apply(name) }
    }
    return (table, work)
  }

  @Test("each event comes to something at each stage", arguments: Start.allCases, LiveTable.Event.Name.allCases)
  func everyPair(start: Start, name: LiveTable.Event.Name) throws {
    var (table, work) = try table(at: start)
    let before = table[Self.id]?.word ?? "absent"
    // A claim needs a reserved slot.
    if name == .claimed { _ = table.reserveSlot(of: LiveFixture.provider.id, capacity: 2) }
    let event = try LiveTable.Event.named(name, for: work)
    #expect(event.name == name)
    let actions = table.apply(event, to: Self.id, at: Self.now)
    let expected = Self.outcome(of: name, at: start) ?? (before, [])
    #expect(table[Self.id]?.word ?? "absent" == expected.after)
    #expect(actions.map(\.word) == expected.actions)
  }

  @Test(
    "claimed generations are given back when the input ends, and nothing else",
    arguments: LiveGeneration.Origin.allCases)
  func inputEnded(origin: LiveGeneration.Origin) throws {
    var table = LiveTable()
    let work = LiveFixture.work(Self.id)
    if origin == .request {
      _ = try table.request(work, waiter: nil, limit: 10, at: Self.now)
      _ = table.apply(try .named(.accepted, for: work), to: Self.id, at: Self.now)
    } else {
      _ = table.reserveSlot(of: LiveFixture.provider.id, capacity: 2)
      _ = table.apply(try .named(.claimed, for: work), to: Self.id, at: Self.now)
    }
    let sent = table.apply(.leaving(.inputEnded, isUnsent: false), to: Self.id, at: Self.now)
    #expect(sent.isEmpty)
    let unsent = table.apply(.leaving(.inputEnded, isUnsent: true), to: Self.id, at: Self.now)
    #expect(unsent.map(\.word) == (origin == .queue ? ["stop", "release"] : []))
  }

  @Test("a leaving process begins nothing that it has claimed, and an abandoning one nothing detached")
  func late() throws {
    var table = LiveTable()
    let claimed = LiveFixture.work("gen_1")
    _ = table.reserveSlot(of: LiveFixture.provider.id, capacity: 2)
    let claim = try LiveTable.Event.named(.claimed, for: claimed, leaving: .inputEnded)
    let ofTheClaimed = table.apply(claim, to: "gen_1", at: Self.now)
    #expect(ofTheClaimed.map(\.word) == ["release"])
    let accepted = LiveFixture.work("gen_2", isDetached: true)
    _ = try table.request(accepted, waiter: nil, limit: 10, at: Self.now)
    let acceptance = try LiveTable.Event.named(.accepted, for: accepted, leaving: .abandoning)
    let ofTheAccepted = table.apply(acceptance, to: "gen_2", at: Self.now)
    #expect(ofTheAccepted.map(\.word) == ["release"])
  }

  @Test("a generation starts that waits for the slot of one that is given back")
  func slotOfTheGivenBack() throws {
    var table = LiveTable()
    for number in 1...3 {
      let work = LiveFixture.work(GenerationID(rawValue: "gen_\(number)"))
      _ = try table.request(work, waiter: number == 1 ? nil : number, limit: 10, at: Self.now)
      _ = table.apply(try .named(.accepted, for: work), to: work.id, at: Self.now)
    }
    #expect(table["gen_3"]?.word == "waiting for a slot")
    _ = table.apply(.leaving(.abandoning, isUnsent: true), to: "gen_1", at: Self.now)
    let actions = table.apply(.released(true), to: "gen_1", at: Self.now)
    #expect(actions.map(\.word) == ["answer", "start"])
    #expect(table["gen_3"]?.word == "running")
  }

  @Test("a generation beyond the limit is refused")
  func limit() throws {
    var table = LiveTable()
    _ = try table.request(LiveFixture.work("gen_1"), waiter: nil, limit: 1, at: Self.now)
    let error = #expect(throws: AtelierError.self) {
      try table.request(LiveFixture.work("gen_2"), waiter: nil, limit: 1, at: Self.now)
    }
    #expect(error?.kind == .overloaded)
    #expect(table["gen_2"] == nil)
  }
}
