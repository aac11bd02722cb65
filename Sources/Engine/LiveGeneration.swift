import AtelierProtocol
import JSON
import Providers
import Store

/// The state of one generation that this process works on or is about to accept; only the generation manager uses it.
final class LiveGeneration {
  /// A waiter for the end of a generation.
  struct Waiter {
    enum Kind {
      /// The request that began the generation, or one that ends it.
      case request
      /// A request that watches it.
      case watcher(Watcher)
      /// The process itself, which waits for all generations before it leaves.
      case process
    }

    var kind: Kind
    /// Resumed with nil when the wait is given up.
    var continuation: CheckedContinuation<FinishedGeneration?, Never>
  }

  /// How a generation came to this process.
  enum Origin {
    /// A host of this process asked for it.
    case request
    /// It was unowned in the queue: no host of this process waits for it.
    case queue
  }

  var work: GenerationWork
  let origin: Origin
  /// The accepted row; nil before the acceptance.
  var row: GenerationRow?
  /// The state machine, as last made durable.
  var lifecycle = GenerationLifecycle()
  /// True once the store has the row. Until then its id is tentative and stays in the generation manager, a cancel can
  /// only be wished for, and the generation cannot end.
  var isAccepted: Bool { row != nil }
  var isCancelWished = false
  /// True once the generation holds its slot.
  var hasSlot = false
  var progress: ProgressLog
  /// The combined progress of its pictures, made one by one or all at once.
  var joint: CombinedProgress
  /// The progress last shared with other processes.
  var sharedNote: ProgressNote?
  /// When the work began, as wall-clock time and as uptime.
  var started: (at: Timestamp, uptimeMs: Int64)?
  /// The deadline and the number of refusals by its provider, set when the generation first has to wait for it.
  var waiting: (deadline: Timestamp, attempts: Int)?
  /// True while the generation waits for its provider in the offline queue.
  var isInQueue = false
  /// The task that makes the pictures.
  var task: Task<Void, Never>?
  /// The record of what was sent to providers.
  var sending = SendingRecord()
  /// True once its only end has begun.
  var isEnding = false
  /// All that wait for the end, by their numbers.
  var waiters: [Int: Waiter] = [:]
  /// The end, once it is answered.
  private(set) var finished: FinishedGeneration?

  /// - Parameters:
  ///   - acceptedAtMs: the uptime at acceptance.
  ///   - sequence: the number of the last notification about it, by the process that worked on it before.
  init(work: GenerationWork, origin: Origin = .request, acceptedAtMs: Int64, sequence: Int64 = 0) {
    self.work = work
    self.origin = origin
    progress = ProgressLog(acceptedAtMs: acceptedAtMs, sequence: sequence)
    joint = CombinedProgress(count: work.wanted)
  }

  /// Records that the generation now waits for its provider, with everything it needs in the store.
  func wait(at place: QueuePlacement, atMs now: Int64) {
    waiting = (place.deadline, place.attempts)
    isInQueue = true
    // This process has just written these params, so they are readable.
    if let durable = try? work.reading(place.request) { work = durable }
    joint = CombinedProgress(count: work.wanted)
    task = nil
    // Nothing was sent so far, or the provider did no work for it: neither here nor on record.
    sending = SendingRecord()
    started = nil
    progress.wait(place.message, atMs: now)
  }

  /// The state that hosts are told: `queued` until the work has reported its first phase, and the end only once it is on
  /// record, with its pictures.
  var toldState: GenerationState {
    if lifecycle.state.isFinal { return started == nil ? .queued : .running }
    return lifecycle.state == .running && progress.phase == .queued ? .queued : lifecycle.state
  }

  /// The generation as it was accepted: `queued`, whether or not its work has begun.
  var accepted: Generation {
    var generation =
      row?.generation()
      ?? Generation(
        generationId: work.id, state: .queued, recipe: work.request.recipe, account: work.account,
        createdAt: work.createdAt, provider: work.provider.id)
    generation.state = .queued
    generation.startedAt = nil
    generation.progress = ProgressLog(acceptedAtMs: 0).shown(queuePosition: nil, etaMs: nil)
    return generation
  }

  /// Whether the store holds everything another process needs to do the work.
  var isDurable: Bool { row?.isRequeueable == true }

  /// Whether its own request waits for its end; one that watches it does not hold it in this process.
  var isAwaited: Bool { waiters.values.contains { if case .request = $0.kind { true } else { false } } }

  /// Those that are told its progress, besides the request that began it.
  var watchers: [Watcher] {
    waiters.values.compactMap { if case .watcher(let watcher) = $0.kind { watcher } else { nil } }
  }

  /// Answers all that wait, and whoever waits later.
  func answerWaiters(_ finished: FinishedGeneration) {
    self.finished = finished
    for waiter in waiters.values { waiter.continuation.resume(returning: finished) }
    waiters = [:]
  }
}

extension GenerationWork {
  /// Whether the work may wait for its provider instead of failing.
  var mayWait: Bool { request.whenOffline == .queue }

  /// The same work, read from its recorded params.
  func reading(_ params: JSONObject) throws -> GenerationWork {
    let request = try JSONValueDecoder(unknownMembers: .ignore).decode(Generate.self, from: .object(params))
    return try with(request, fingerprint: fingerprint())
  }
}
