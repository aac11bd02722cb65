import AtelierProtocol
import JSON
import Store

/// One generation that this process works on or is about to accept, as a value. ``LiveTable`` decides what becomes of it.
struct LiveGeneration: Sendable {
  /// Where it stands. What exists only there is kept only there.
  enum Stage: Sendable {
    /// Its row is being written: its id is tentative and stays in the generation manager, it cannot end, and a cancel
    /// takes effect once it is accepted.
    case accepting(hasSlot: Bool, isCancelled: Bool)
    /// It waits for its provider in the offline queue; everything it needs is in the store.
    case inQueue(GenerationRow, Patience)
    /// It waits for a slot.
    case waitingForSlot(GenerationRow)
    /// It holds its slot, and a task works on it.
    case running(Running)
    /// Its only end has begun: nothing else can end it.
    case ending(End)
  }

  /// How long it waits for its provider, and how often that has refused it.
  struct Patience: Sendable, Equatable {
    var deadline: Timestamp
    var attempts: Int
  }

  struct Running: Sendable {
    /// The row as it was accepted or claimed.
    var row: GenerationRow
    /// When the work began.
    var started: Moment
    /// Nil unless it has waited for its provider.
    var patience: Patience?
    /// The combined progress of its pictures, made one by one or all at once.
    var joint: CombinedProgress
  }

  /// An end that is not written yet.
  struct End: Sendable {
    enum Kind: Sendable, Equatable {
      /// It ends in this state.
      case final(GenerationState)
      /// It goes back to the queue, for another process, unless it was sent after all.
      case givenBack(from: GenerationState)
    }

    var row: GenerationRow
    var started: Moment?
    var kind: Kind
  }

  /// One that waits for the end.
  enum Waiter: Sendable {
    /// The request that began the generation, or one that ends it.
    case request
    /// A request that watches it.
    case watcher(Watcher)
    /// The process itself, which waits for all generations before it leaves.
    case process
  }

  /// How a generation came to this process.
  enum Origin: Sendable, CaseIterable {
    /// A host of this process asked for it.
    case request
    /// In the queue, no host of this process waits for it.
    case queue
  }

  var work: GenerationWork
  let origin: Origin
  var stage: Stage
  var progress: ProgressLog
  /// The progress last shared with other processes.
  var sharedNote: ProgressNote?
  /// All that wait for the end, by their numbers.
  var waiters: [Int: Waiter] = [:]

  /// - Parameters:
  ///   - acceptedAtMs: the uptime at acceptance.
  ///   - sequence: the number of the last notification about it, by the process that worked on it before.
  init(work: GenerationWork, origin: Origin, stage: Stage, acceptedAtMs: Int64, sequence: Int64 = 0) {
    self.work = work
    self.origin = origin
    self.stage = stage
    let hasSlot = if case .accepting(hasSlot: true, isCancelled: _) = stage { true } else { false }
    progress = ProgressLog(acceptedAtMs: acceptedAtMs, sequence: sequence, hasSlot: hasSlot)
  }
}

extension LiveGeneration {
  /// The accepted row; nil before the acceptance.
  var row: GenerationRow? {
    switch stage {
    case .accepting: nil
    case .inQueue(let row, _), .waitingForSlot(let row): row
    case .running(let running): running.row
    case .ending(let end): end.row
    }
  }

  /// Whether the store has the row. Until then its id is tentative, and nobody else may see it.
  var isAccepted: Bool { row != nil }

  var isInQueue: Bool { if case .inQueue = stage { true } else { false } }

  /// Whether its pictures are made and about to be delivered.
  var isSaving: Bool { if case .running = stage { progress.phase == .saving } else { false } }

  var isEnding: Bool { if case .ending = stage { true } else { false } }

  /// Whether a cancel waits for the acceptance.
  var isCancelRequested: Bool { if case .accepting(_, isCancelled: true) = stage { true } else { false } }

  /// When its present work began; nil while it waits.
  var started: Moment? {
    switch stage {
    case .accepting, .inQueue, .waitingForSlot: nil
    case .running(let running): running.started
    case .ending(let end): end.started
    }
  }

  var patience: Patience? {
    switch stage {
    case .inQueue(_, let patience): patience
    case .running(let running): running.patience
    case .accepting, .waitingForSlot, .ending: nil
    }
  }

  /// Its state as far as it is decided here.
  var state: GenerationState {
    switch stage {
    case .accepting, .inQueue, .waitingForSlot: .queued
    case .running: .running
    case .ending(let end):
      switch end.kind {
      case .final(let state): state
      case .givenBack(let state): state
      }
    }
  }

  /// The state that hosts are told: `queued` until the work has reported its first phase, and the end only once it is on
  /// record, with its pictures.
  var toldState: GenerationState {
    if state.isFinal { return started == nil ? .queued : .running }
    return state == .running && progress.phase == .queued ? .queued : state
  }

  /// The generation as it was accepted: `queued`, whether or not its work has begun.
  var accepted: Generation {
    row?.accepted
      ?? Generation(
        generationId: work.id, state: .queued, recipe: work.request.recipe, account: work.account,
        createdAt: work.createdAt, progress: GenerationRow.acceptedProgress, provider: work.provider.id)
  }

  /// Whether its own request waits for its end; one that watches it does not hold it in this process.
  var isAwaited: Bool { waiters.values.contains { if case .request = $0 { true } else { false } } }
}

extension GenerationRow {
  /// The generation as it was accepted: `queued`, whether or not its work has begun.
  var accepted: Generation {
    var generation = generation()
    generation.state = .queued
    generation.startedAt = nil
    generation.progress = Self.acceptedProgress
    return generation
  }

  fileprivate static var acceptedProgress: Generation.Progress {
    ProgressLog(acceptedAtMs: 0).shown(queuePosition: nil, etaMs: nil)
  }
}

extension Surroundings {
  /// The present moment.
  var moment: Moment { Moment(wall: now(), uptimeMs: uptimeMs()) }
}

extension GenerationWork {
  /// Whether the work may wait for its provider instead of failing.
  var mayWait: Bool { request.whenOffline == .queue }

  /// The same work, read from its recorded params.
  func reading(_ params: JSONObject) throws -> GenerationWork {
    let request = try JSONValueDecoder(unknownMembers: .ignore).decode(Generate.self, from: .object(params))
    return with(request, fingerprint: try fingerprint())
  }
}
