import AtelierProtocol
import Store

/// Makes the ends of generations durable. Ends without pictures that arrive together are written together; an end that
/// cannot be written now is kept, pictures included, and tried again until it can be.
actor EndWriter {
  /// The most ends in one transaction: other processes wait while it runs.
  private static let mostTogether = 128

  struct Pending {
    var ending: Ending
    /// Nil once the end is answered.
    var answer: CheckedContinuation<Generation, Never>?
    var isBeingWritten = false
    /// Since when it waits, by the uptime.
    var sinceMs: Int64 = 0
  }

  /// The longest that a request waits for its pictures to be stored: they are handed over then.
  static let longestMs: Int64 = 3_600_000

  private let parts: EngineParts
  /// Ends without pictures that wait to be written.
  private var brief: [Pending] = []
  private var isWritingBrief = false
  /// Ends that could not be written yet, oldest first.
  private(set) var kept: [GenerationID: Pending] = [:]
  /// The states in which given-up ends are answered, unless they are written first.
  private var givenUp: [GenerationID: GenerationState] = [:]
  private var retrying: Task<Void, Never>?
  /// The tries under way for ends with pictures.
  private var tries: [GenerationID: Task<Ending.Outcome, Never>] = [:]
  private var pauses = RetryPauses()

  init(_ parts: EngineParts) { self.parts = parts }

  /// Makes an end durable. An end with pictures returns once it is written, while the disk is full or the database busy,
  /// unless ``giveUp(_:as:)`` or ``leave()`` ends the wait, or its request has waited for an hour: the pictures are handed
  /// over then, as they are where waiting does not help. An end without pictures returns after the first try: its credits
  /// are free in any case, and the record follows.
  /// - Returns: the generation as it ended, for every waiter.
  func write(_ ending: Ending) async -> Generation {
    defer { givenUp[ending.work.id] = nil }
    var ending = ending
    ending.output = parts.outputDirectory(of: ending.work.request, isConfined: ending.work.isConfined)
    return ending.isBrief ? await writeTogether(ending) : await writeAlone(ending)
  }

  /// Stops waiting to write an end with pictures: unless it is written already, it is answered as `state`. The pictures of
  /// one that failed are handed over, even while a store that does not answer has them; others are dropped.
  func giveUp(_ id: GenerationID, as state: GenerationState) async {
    givenUp[id] = state
    if state == .failed { tries[id]?.cancel() }
    await abandonIfGivenUp(id)
  }

  private func abandonIfGivenUp(_ id: GenerationID) async {
    guard let state = givenUp[id], let pending = kept[id], !pending.isBeingWritten, let answer = pending.answer
    else { return }
    kept[id]?.answer = nil
    kept[id]?.isBeingWritten = true
    let abandoned =
      state == .failed
      ? await pending.ending.handingOver(lazyStore: parts.lazyStore)
      : await pending.ending.abandoned(as: state, lazyStore: parts.lazyStore)
    kept[id] = Pending(ending: abandoned.answered)
    givenUp[id] = nil
    answer.resume(returning: abandoned.answerUnwritten)
  }

  /// Stops all waiting: a kept end is answered with the error that prevented its write and with its pictures, and tried
  /// once more.
  func leave() async {
    parts.leaving.reach(.closing)
    for id in kept.keys { await giveUp(id, as: .failed) }
    await retry()
    retrying?.cancel()
  }

  // MARK: With pictures

  private func writeAlone(_ ending: Ending) async -> Generation {
    let id = ending.work.id
    switch await attempt(ending) {
    case .written(let finished):
      await tellBalances(of: [ending])
      return finished
    case .notNow(let ending) where ending.isBrief:
      keep(Pending(ending: ending.answered))
      return ending.answerUnwritten
    case .notNow(let ending) where keptBytes + ending.pictureBytes > parts.configuration.maximumKeptBytes:
      let ending = await ending.handingOver(lazyStore: parts.lazyStore)
      keep(Pending(ending: ending.answered))
      return ending.answerUnwritten
    case .notNow(let ending):
      parts.surroundings.log(
        "The result of \(id.rawValue) cannot be stored now (\(ending.obstacle?.kind.rawValue ?? "unknown")). "
          + "They are kept in memory until they can be.")
      // Nobody waits for it until it can be.
      if parts.leaving.stage >= (ending.work.isDetached ? .closing : .draining) { givenUp[id] = .failed }
      return await withCheckedContinuation { continuation in
        keep(Pending(ending: ending, answer: continuation, sinceMs: parts.surroundings.uptimeMs()))
        Task { await abandonIfGivenUp(id) }
      }
    }
  }

  /// Tries to write an end. ``giveUp(_:as:)`` cancels the try.
  private func attempt(_ ending: Ending) async -> Ending.Outcome {
    if ending.isBrief { return await ending.carryOut(lazyStore: parts.lazyStore) }
    let id = ending.work.id
    let attempt = Task { [parts] in await ending.carryOut(lazyStore: parts.lazyStore) }
    tries[id] = attempt
    defer { tries[id] = nil }
    if givenUp[id] == .failed { attempt.cancel() }
    return await attempt.value
  }

  private var keptBytes: Int { kept.values.reduce(0) { $0 + $1.ending.pictureBytes } }

  private func keep(_ pending: Pending) {
    kept[pending.ending.work.id] = pending
    guard retrying == nil else { return }
    pauses.failed(atMs: parts.surroundings.uptimeMs())
    retrying = Task { [parts] in
      while !kept.isEmpty {
        do { try await parts.surroundings.sleep(parts.heartbeatInterval) } catch { break }
        if pauses.isDue(atMs: parts.surroundings.uptimeMs()) { await retry() }
      }
      retrying = nil
    }
  }

  /// Retries the kept ends, oldest first, until one fails again: the others would fail for the same reason.
  private func retry() async {
    for id in kept.values.sorted(by: { $0.ending.row.created < $1.ending.row.created }).map(\.ending.work.id) {
      guard let pending = kept[id], !pending.isBeingWritten else { continue }
      kept[id]?.isBeingWritten = true
      switch await attempt(pending.ending) {
      case .written(let finished):
        pauses.succeeded()
        await tellBalances(of: [pending.ending])
        kept.removeValue(forKey: id)?.answer?.resume(returning: finished)
      case .notNow(let ending):
        let now = parts.surroundings.uptimeMs()
        pauses.failed(atMs: now)
        kept[id]?.ending = ending
        kept[id]?.isBeingWritten = false
        if ending.isBrief {
          // Waiting does not help any more.
          kept[id]?.ending = ending.answered
          kept[id]?.answer.take()?.resume(returning: ending.answerUnwritten)
        } else if !ending.work.isDetached, now - pending.sinceMs >= Self.longestMs {
          givenUp[id] = .failed
        }
        await abandonIfGivenUp(id)
        return
      }
    }
  }

  // MARK: Without pictures

  private func writeTogether(_ ending: Ending) async -> Generation {
    await withCheckedContinuation { continuation in
      brief.append(Pending(ending: ending, answer: continuation))
      if isWritingBrief { return }
      isWritingBrief = true
      // A waiter needs the answer, and many other tasks may compete for the processor.
      Task(priority: .high) { await writeBrief() }
    }
  }

  /// Ends that arrive during a write are written together, so that cancelling hundreds takes few transactions.
  private func writeBrief() async {
    while !brief.isEmpty {
      let some = Array(brief.prefix(Self.mostTogether))
      brief.removeFirst(some.count)
      let outcomes = await Ending.carryOut(some.map(\.ending), lazyStore: parts.lazyStore)
      await tellBalances(of: some.map(\.ending))
      for (pending, outcome) in zip(some, outcomes) {
        switch outcome {
        case .written(let finished): pending.answer?.resume(returning: finished)
        case .notNow(let ending):
          keep(Pending(ending: ending.answered))
          pending.answer?.resume(returning: ending.answerUnwritten)
        }
      }
    }
    isWritingBrief = false
  }

  /// Called before the answers, after which a host may read its balance.
  private func tellBalances(of endings: [Ending]) async {
    await parts.balances.creditsChanged(by: endings.map(\.row))
  }
}
