import AtelierProtocol
import Providers
import ServiceFixture
import Store

@testable import Engine
@testable import Store

/// What the tests of ``LiveTable`` put into it: works, rows, and one event of each kind.
enum LiveFixture {
  static let provider = ScriptedProvider(maximumConcurrentImages: 2, isLocal: false)
  static let start = Timestamp(milliseconds: 1_000_000)

  static func moment(_ uptimeMs: Int64) -> Moment {
    Moment(wall: Timestamp(milliseconds: start.milliseconds + uptimeMs), uptimeMs: uptimeMs)
  }

  static func work(
    _ id: GenerationID, isDetached: Bool = false, mustWait: Bool = false, count: Int? = nil
  ) -> GenerationWork {
    var work = GenerationWork(
      id: id, account: .owner, request: .picture(count: count, detach: isDetached), lineup: ProviderLineup(first: provider),
      requestID: nil, wantsProgress: true, createdAt: start)
    work.mustWait = mustWait
    return work
  }

  /// The row of an accepted request.
  static func row(_ work: GenerationWork, _ state: GenerationState = .queued) throws -> GenerationRow {
    var row = try work.acceptance(within: 60_000).row(process: ProcessID(rawValue: "here"), now: start)
    row.state = state
    row.isRequeueable = true
    return row
  }

  static func entry(_ work: GenerationWork) throws -> QueueEntry {
    QueueEntry(
      provider: provider.id, deadline: start, attempts: 1, request: try work.request.params(), inputs: [],
      message: "Waiting…")
  }

  /// The end of a generation, as it is written.
  static func ended(_ work: GenerationWork, as state: GenerationState) throws -> Generation {
    try row(work, state).generation()
  }

  /// A delivery that is complete without the bytes of a picture.
  static var delivery: Delivery {
    var delivery = Delivery()
    delivery.list = Delivery.PlaceList(
      places: [], dropped: DroppedPlaces(count: 0, names: []), isComplete: true, credits: 0)
    return delivery
  }
}

extension LiveTable.Event {
  enum Name: String, CaseIterable {
    case accepted, refused, claimed, slotGiven, moved, delivered, failed, cancelled, endedElsewhere, interestLost
    case deadlinePassed, returnedToQueue, inputEnded, abandoning, foundSent, released, written
  }

  /// An event of this name. Each case of the enumeration has one: a new one does not compile until it has.
  var name: Name {
    switch self {
    case .accepted: .accepted
    case .refused: .refused
    case .claimed: .claimed
    case .slotGiven: .slotGiven
    case .moved: .moved
    case .delivered: .delivered
    case .failed: .failed
    case .cancelled: .cancelled
    case .endedElsewhere: .endedElsewhere
    case .interestLost: .interestLost
    case .deadlinePassed: .deadlinePassed
    case .returnedToQueue: .returnedToQueue
    case .leaving(let leaving, _): leaving >= .abandoning ? .abandoning : .inputEnded
    case .foundSent: .foundSent
    case .released: .released
    case .written: .written
    }
  }

  static func named(_ name: Name, for work: GenerationWork, leaving: Leaving = .notYet) throws -> Self {
    switch name {
    case .accepted:
      .accepted(
        LiveTable.Accepted(
          row: try LiveFixture.row(work), work: work, entry: work.mustWait ? try LiveFixture.entry(work) : nil,
          leaving: leaving))
    case .refused: .refused
    case .claimed: .claimed(LiveTable.Claim(row: try LiveFixture.row(work, .running), work: work, leaving: leaving))
    case .slotGiven: .slotGiven
    case .moved: .moved(.whole(ImageProgress(phase: .processing, message: "Painting…", fraction: 0.5)))
    case .delivered: .delivered(LiveFixture.delivery)
    case .failed: .failed(AtelierError(.contentBlocked))
    case .cancelled: .cancelled
    case .endedElsewhere: .endedElsewhere
    case .interestLost: .interestLost
    case .deadlinePassed: .deadlinePassed
    case .returnedToQueue: .returnedToQueue(try LiveFixture.row(work), try LiveFixture.entry(work))
    case .inputEnded: .leaving(.inputEnded, isUnsent: true)
    case .abandoning: .leaving(.abandoning, isUnsent: true)
    case .foundSent: .foundSent
    case .released: .released(true)
    case .written: .written(try LiveFixture.ended(work, as: .cancelled))
    }
  }
}

extension LiveTable.Action {
  /// A word for the action.
  var word: String {
    switch self {
    case .start: "start"
    case .stop: "stop"
    case .tell: "tell"
    case .write(let ending, let thenStops): "write \(ending.state.rawValue)\(thenStops ? ", then stop" : "")"
    case .giveUpWriting: "give up writing"
    case .release: "release"
    case .failUnreadable: "fail unreadable"
    case .discard: "discard"
    case .count: "count"
    case .learn: "learn"
    case .announceEnd: "announce the end"
    case .answer: "answer"
    case .lookAtQueue: "look at the queue"
    case .slotFreed: "slot freed"
    }
  }

  /// The generation that the action goes on with; nil for what follows its end.
  var continues: GenerationID? {
    switch self {
    case .start(let work, _, _): work.id
    case .stop(let id), .tell(let id), .giveUpWriting(let id, _), .release(let id): id
    case .write(let ending, _): ending.work.id
    case .failUnreadable, .discard, .count, .learn, .announceEnd, .answer, .lookAtQueue, .slotFreed: nil
    }
  }
}

extension LiveGeneration {
  /// A word for the stage.
  var word: String {
    switch stage {
    case .accepting(let hasSlot, let isCancelled):
      "accepting" + (hasSlot ? " with a slot" : "") + (isCancelled ? ", cancelled" : "")
    case .inQueue: "in the queue"
    case .waitingForSlot: "waiting for a slot"
    case .running: "running"
    case .ending(let end):
      switch end.kind {
      case .final(let state): "ending as \(state.rawValue)"
      case .givenBack: "given back"
      }
    }
  }
}
