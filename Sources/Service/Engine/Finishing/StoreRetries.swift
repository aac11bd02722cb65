/// Lets work be tried again that the store cannot do now, such as keeping a finished picture on a full disk.
///
/// However much waits, one at a time is tried, after pauses that double. Each that succeeds lets the next two go on at
/// once: there is room again.
actor StoreRetries {
  private let surroundings: Surroundings
  private let heartbeatInterval: Duration
  private var pauses = RetryPauses()
  /// Resumed with false by whoever may not try because its task was cancelled.
  private var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  private var lastNumber = 0
  /// How many are being tried.
  private var trying = 0
  private var ticking: Task<Void, Never>?

  init(_ surroundings: Surroundings, heartbeatInterval: Duration) {
    self.surroundings = surroundings
    self.heartbeatInterval = heartbeatInterval
  }

  /// Waits until this caller may try again; ``tried(hasSucceeded:)`` must follow.
  /// - Throws: `CancellationError` when the task is cancelled; it may not try then.
  func waitToTry() async throws {
    lastNumber += 1
    let number = lastNumber
    let mayTry = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { return continuation.resume(returning: false) }
        waiting.append((number, continuation))
        let now = surroundings.uptimeMs()
        if pauses.isDue(atMs: now) { pauses.failed(atMs: now) }
        keepTicking()
      }
    } onCancel: {
      Task { await self.giveUp(number) }
    }
    guard Task.isCancelled else { return }
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

  private func letOneTry() {
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
