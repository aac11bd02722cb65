import AtelierProtocol
import JSON
import Providers
import Store

/// One generation that this process works on or is about to accept: what the session manager, its only user, keeps of it.
final class LiveGeneration {
  /// One who waits for the end of a generation.
  struct Waiter: Hashable {
    var number: Int
    /// False for the process itself, which waits for all to end before it leaves.
    var isHost = true
  }

  /// How a generation came to be this process's.
  enum Origin {
    /// A host of this process asked for it.
    case request
    /// It was in the queue and nobody's: no host of this process waits for it.
    case queue
  }

  var work: GenerationWork
  let origin: Origin
  /// The row as it was accepted; nil before.
  var row: GenerationRow?
  /// The life, as last made durable.
  var generation = Generation()
  /// True once the store has the row; until then the generation can be wished cancelled, not ended.
  var isAccepted: Bool { row != nil }
  var isCancelWished = false
  /// True once it holds its slot.
  var hasSlot = false
  var progress: ProgressLog
  /// What its pictures tell, one by one or all at once.
  var joint: CombinedProgress
  /// What other processes were last told of it.
  var sharedNote: ProgressNote?
  /// When the work began, by the time of day and by the uptime.
  var started: (at: Timestamp, uptimeMs: Int64)?
  /// When it is given up, and how often its provider has refused it, from the moment it first had to wait for that.
  var waiting: (deadline: Timestamp, attempts: Int)?
  /// True while it waits for its provider, in the queue that all processes share.
  var isInQueue = false
  /// The task that makes the pictures.
  var task: Task<Void, Never>?
  /// What was sent to providers for it.
  var sending = SendingRecord()
  /// True once its one ending has begun.
  var isEnding = false
  /// Who waits for the end; told nil when the wait is given up.
  var waiters: [Waiter: CheckedContinuation<FinishedGeneration?, Never>] = [:]

  /// - Parameter acceptedAtMs: by the uptime.
  init(work: GenerationWork, origin: Origin = .request, acceptedAtMs: Int64) {
    self.work = work
    self.origin = origin
    progress = ProgressLog(acceptedAtMs: acceptedAtMs)
    joint = CombinedProgress(count: work.wanted)
  }

  /// Notes that it waits for its provider now, with everything it needs kept in the store.
  func wait(at place: QueuePlacement, atMs now: Int64) {
    waiting = (place.deadline, place.attempts)
    isInQueue = true
    // Written by ourselves a moment ago, they can be read.
    if let durable = try? work.reading(place.request) { work = durable }
    joint = CombinedProgress(count: work.wanted)
    task = nil
    started = nil
    progress.wait(place.message, atMs: now)
  }

  /// Whether the store holds all that another process needs to do it.
  var isDurable: Bool { row?.isRequeueable == true }

  /// Whether a host waits for its end here.
  var isAwaited: Bool { waiters.keys.contains(where: \.isHost) }
}

extension GenerationWork {
  /// Whether it may wait for its provider instead of failing.
  var mayWait: Bool { request.whenOffline == .queue }

  /// The same, read from what is recorded of its params.
  func reading(_ params: JSONObject) throws -> GenerationWork {
    let request = try JSONValueDecoder(unknownMembers: .ignore).decode(Generate.self, from: .object(params))
    return try with(request, fingerprint: fingerprint())
  }
}
