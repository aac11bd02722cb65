/// Stops cancelled work that its provider has begun, a few tasks at a time, once the ends of all current cancellations
/// are on record. Stopping a transfer and everything that waits for it takes as long as recording and answering an end;
/// when hundreds are cancelled at once, the answers would otherwise wait for all of that.
actor DelayedCancellations {
  /// The longest time work goes on while the disk is slow or another process writes, in milliseconds.
  static let longestMs = 50
  /// A generous bound on how often an answer waits for a thread until it is written.
  private static let turnsOfAnAnswer = 16
  /// After so many cancellations all other tasks go on for a moment.
  private static let mostBetweenYields = 4

  private let surroundings: Surroundings
  private var tasks: [Task<Void, Never>] = []
  private var unrecorded = 0
  private var limit: Task<Void, Never>?

  init(_ surroundings: Surroundings) { self.surroundings = surroundings }

  /// Stops a task soon; ``endIsRecorded()`` must follow.
  func begin(_ task: Task<Void, Never>) {
    unrecorded += 1
    tasks.append(task)
    if tasks.count > 1 { return }
    limit = Task { [surroundings] in
      if (try? await surroundings.sleep(.milliseconds(Self.longestMs))) != nil { stopAll() }
    }
  }

  func endIsRecorded() {
    unrecorded -= 1
    if unrecorded == 0 { stopAll() }
  }

  private func stopAll() {
    limit?.cancel()
    let stopping = tasks
    tasks = []
    if stopping.isEmpty { return }
    // As a separate task this runs after the waiters that have just received their ends.
    Task(priority: .medium) { await Self.cancelBetweenOthers(stopping) }
  }

  @concurrent
  private static func cancelBetweenOthers(_ tasks: [Task<Void, Never>]) async {
    for _ in 0..<turnsOfAnAnswer { await Task.yield() }
    for (number, task) in tasks.enumerated() {
      if number % mostBetweenYields == 0 { await Task.yield() }
      task.cancel()
    }
  }
}
