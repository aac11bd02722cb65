import AtelierProtocol
import POSIX

/// Lets work be tried again that the store cannot do now, such as keeping a finished picture on a full disk.
///
/// However much waits, one at a time is tried, after pauses that double. Each that succeeds lets the next two go on at
/// once: there is room again.
actor StoreRetries {
  private let surroundings: Surroundings
  private let heartbeatInterval: Duration
  private var pauses = RetryPauses()
  /// Resumed with false by whoever may not try: its task was cancelled, or the process leaves.
  private(set) var waiting: [(number: Int, id: GenerationID?, continuation: CheckedContinuation<Bool, Never>)] = []
  private var isLeaving = false
  /// Those for which nothing is tried any more.
  private var givenUp: Set<GenerationID> = []
  private var lastNumber = 0
  /// How many are being tried.
  private var trying = 0
  /// Gives up what is being tried for pictures that are made.
  private var attempts: [Int: (id: GenerationID, giveUp: @Sendable () -> Void)] = [:]
  private var ticking: Task<Void, Never>?

  init(_ surroundings: Surroundings, heartbeatInterval: Duration) {
    self.surroundings = surroundings
    self.heartbeatInterval = heartbeatInterval
  }

  /// Waits until this caller may try again; ``tried(hasSucceeded:)`` must follow.
  /// - Parameter id: the generation for which it is tried, if it is one.
  /// - Returns: false when the process leaves or the generation is given up; it may not try then.
  /// - Throws: `CancellationError` when the task is cancelled; it may not try then.
  func waitToTry(for id: GenerationID? = nil) async throws -> Bool {
    lastNumber += 1
    let number = lastNumber
    let mayTry = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled || isGivenUp(id) { return continuation.resume(returning: false) }
        waiting.append((number, id, continuation))
        let now = surroundings.uptimeMs()
        if pauses.isDue(atMs: now) { pauses.failed(atMs: now) }
        keepTicking()
      }
    } onCancel: {
      Task { await self.giveUp(number) }
    }
    guard Task.isCancelled else { return mayTry }
    if mayTry { tried(hasSucceeded: nil) }
    throw CancellationError()
  }

  /// - Parameter hasSucceeded: nil when the outcome says nothing about the store.
  func tried(hasSucceeded: Bool?) {
    trying -= 1
    switch hasSucceeded {
    case true?:
      pauses.succeeded()
      for _ in 0..<2 { letOneTry() }
    case false?: if trying == 0 { pauses.failed(atMs: surroundings.uptimeMs()) }
    case nil: break
    }
  }

  /// Keeps something of pictures that are made, unless they are given up while the store does not answer: they are handed
  /// over then. A store that is silent may go on for a while; nobody waits for that.
  /// - Parameter discard: removes what was kept after nobody waited any more.
  /// - Throws: `storage_unavailable` then.
  func attempt<Value: Sendable>(
    for id: GenerationID, discard: @escaping @Sendable (Value) async -> Void,
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    lastNumber += 1
    let number = lastNumber
    let outcome = Promise<Result<Value, any Error>>()
    let attempt = Task {
      do {
        let value = try await work()
        if !outcome.fulfil(.success(value)) { await discard(value) }
      } catch {
        outcome.fulfil(.failure(error))
      }
    }
    let giveUp = { @Sendable (error: any Error) in
      attempt.cancel()
      outcome.fulfil(.failure(error))
    }
    attempts[number] = (id, { _ = giveUp(AtelierError(.storageUnavailable)) })
    defer { attempts[number] = nil }
    if isGivenUp(id) { _ = giveUp(AtelierError(.storageUnavailable)) }
    guard let found = await outcome.value() else {
      _ = giveUp(CancellationError())
      throw CancellationError()
    }
    return try found.get()
  }

  /// Nothing is tried again from now on: whoever waits has its error.
  func leave() {
    isLeaving = true
    giveUpAll { _ in true }
  }

  /// Nothing is tried again for this generation.
  func giveUp(for id: GenerationID) {
    givenUp.insert(id)
    giveUpAll { $0 == id }
  }

  private func isGivenUp(_ id: GenerationID?) -> Bool { isLeaving || id.map(givenUp.contains) == true }

  private func giveUpAll(_ isMeant: (GenerationID?) -> Bool) {
    for attempt in attempts.values where isMeant(attempt.id) { attempt.giveUp() }
    let ended = waiting.filter { isMeant($0.id) }
    waiting.removeAll { isMeant($0.id) }
    for one in ended { one.continuation.resume(returning: false) }
  }

  func letOneTry() {
    if waiting.isEmpty { return }
    trying += 1
    waiting.removeFirst().continuation.resume(returning: true)
  }

  private func giveUp(_ number: Int) {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
    waiting.remove(at: index).continuation.resume(returning: false)
  }

  private func keepTicking() {
    guard ticking == nil else { return }
    ticking = Task {
      while !waiting.isEmpty {
        do { try await surroundings.sleep(heartbeatInterval) } catch { break }
        if trying == 0, pauses.isDue(atMs: surroundings.uptimeMs()) { letOneTry() }
      }
      ticking = nil
    }
  }
}
