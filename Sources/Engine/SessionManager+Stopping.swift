import AtelierProtocol

/// Cancelled work that its provider has begun stops once the ends of all that are being cancelled are on record, a few
/// at a time. To stop a transfer and all that waits for it takes as long as to record an end and to answer it: where
/// hundreds are cancelled at once, the answers would have to wait for all of that.
extension SessionManager {
  /// Stops the work of a session whose end is about to be recorded; ``endIsRecorded(of:)`` has to follow.
  func stopWork(of session: Session) {
    guard let task = session.task else { return }
    // What has not been sent must not be sent any more.
    guard session.progress.phase.position >= Phase.processing.position else { return task.cancel() }
    session.isStopping = true
    recordingCancelled += 1
    stopping.append(task)
    if stopping.count > 1 { return }
    stopLimit = Task { [surroundings] in
      if (try? await surroundings.sleep(.milliseconds(Self.longestStopMs))) != nil { self.stopAll() }
    }
  }

  func endIsRecorded(of session: Session) {
    guard session.isStopping else { return }
    recordingCancelled -= 1
    if recordingCancelled == 0 { stopAll() }
  }

  private func stopAll() {
    stopLimit?.cancel()
    guard !stopping.isEmpty else { return }
    let tasks = stopping
    stopping = []
    // In a task of its own it comes after those who have just been told of their ends and are on their way out.
    Task(priority: .medium) { await self.stop(tasks) }
  }

  private func stop(_ tasks: [Task<Void, Never>]) async { await Self.cancelBetweenOthers(tasks) }

  @concurrent
  private static func cancelBetweenOthers(_ tasks: [Task<Void, Never>]) async {
    for _ in 0..<turnsOfAnAnswer { await Task.yield() }
    for (number, task) in tasks.enumerated() {
      if number % mostBetweenTurns == 0 { await Task.yield() }
      task.cancel()
    }
  }

  /// How long work goes on at most where the disk is slow or another process writes.
  static let longestStopMs = 50
  /// Plenty: how often an answer waits for a thread until it is written.
  private static let turnsOfAnAnswer = 16
  /// After so many everything else that is to be done gets its turn.
  private static let mostBetweenTurns = 4
}
