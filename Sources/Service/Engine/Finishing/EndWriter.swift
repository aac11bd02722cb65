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
  }

  private let parts: EngineParts
  /// Ends without pictures that wait to be written.
  private var brief: [Pending] = []
  private var isWritingBrief = false
  /// Ends that could not be written yet, oldest first.
  private(set) var kept: [GenerationID: Pending] = [:]
  /// The states in which given-up ends are answered, unless they are written first.
  private var givenUp: [GenerationID: GenerationState] = [:]
  private var retrying: Task<Void, Never>?
  private var pauses = RetryPauses()

  init(_ parts: EngineParts) { self.parts = parts }

  /// Makes an end durable. An end with pictures returns once it is written, however long the disk is full or the
  /// database busy, unless ``giveUp(_:as:)`` or ``leave()`` ends the wait. An end without pictures returns after the
  /// first try: its credits are free in any case, and the record follows.
  /// - Returns: the generation as it ended, for every waiter.
  func write(_ ending: Ending) async -> Generation {
    defer { givenUp[ending.work.id] = nil }
    var ending = ending
    ending.output = parts.outputDirectory(of: ending.work.request, isConfined: ending.work.isConfined)
    return ending.isBrief ? await writeTogether(ending) : await writeAlone(ending)
  }

  /// Stops waiting to write an end with pictures: unless it is written already, it is answered as `state`, and the
  /// pictures are dropped.
  func giveUp(_ id: GenerationID, as state: GenerationState) async {
    givenUp[id] = state
    await abandonIfGivenUp(id)
  }

  private func abandonIfGivenUp(_ id: GenerationID) async {
    guard let state = givenUp[id], let pending = kept[id], !pending.isBeingWritten, let answer = pending.answer
    else { return }
    kept[id]?.answer = nil
    kept[id]?.isBeingWritten = true
    let abandoned = await pending.ending.abandoned(as: state, lazyStore: parts.lazyStore)
    kept[id] = Pending(ending: abandoned)
    givenUp[id] = nil
    answer.resume(returning: abandoned.answerUnwritten)
  }

  /// Stops all waiting: a kept end is answered with the error that prevented its write, and tried once more.
  func leave() async {
    parts.leaving.reach(.closing)
    for id in kept.keys { await giveUp(id, as: .failed) }
    await retry()
    retrying?.cancel()
  }

  // MARK: With pictures

  private func writeAlone(_ ending: Ending) async -> Generation {
    let id = ending.work.id
    switch await ending.carryOut(lazyStore: parts.lazyStore) {
    case .written(let finished):
      await tellBalances(of: [ending])
      return finished
    case .notNow(let ending) where ending.isBrief:
      keep(Pending(ending: ending))
      return ending.answerUnwritten
    case .notNow(let ending):
      parts.surroundings.log(
        "The result of \(id.rawValue) cannot be stored now (\(ending.obstacle?.kind.rawValue ?? "unknown")). "
          + "They are kept in memory until they can be.")
      if parts.leaving.stage >= .closing { givenUp[id] = .failed }
      return await withCheckedContinuation { continuation in
        keep(Pending(ending: ending, answer: continuation))
        Task { await abandonIfGivenUp(id) }
      }
    }
  }

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
      switch await pending.ending.carryOut(lazyStore: parts.lazyStore) {
      case .written(let finished):
        pauses.succeeded()
        await tellBalances(of: [pending.ending])
        kept.removeValue(forKey: id)?.answer?.resume(returning: finished)
      case .notNow(let ending):
        pauses.failed(atMs: parts.surroundings.uptimeMs())
        kept[id]?.ending = ending
        kept[id]?.isBeingWritten = false
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
          keep(Pending(ending: ending))
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
