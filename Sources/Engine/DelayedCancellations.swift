/// Stops cancelled work that its provider has begun once the ends of all that are being cancelled are on record, a few at
/// a time. To stop a transfer and all that waits for it takes as long as to record an end and to answer it: where
/// hundreds are cancelled at once, the answers would have to wait for all of that.
actor DelayedCancellations {
  /// How long work goes on at most where the disk is slow or another process writes, in milliseconds.
  static let longestMs = 50
  /// Plenty: how often an answer waits for a thread until it is written.
  private static let turnsOfAnAnswer = 16
  /// After so many everything else that is to be done gets its turn.
  private static let mostBetweenTurns = 4

  private let surroundings: Surroundings
  private var tasks: [Task<Void, Never>] = []
  private var unrecorded = 0
  private var limit: Task<Void, Never>?

  init(_ surroundings: Surroundings) { self.surroundings = surroundings }

  /// Has a task stopped soon; ``endIsRecorded()`` has to follow.
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
    // In a task of its own it comes after those who have just been told of their ends and are on their way out.
    Task(priority: .medium) { await Self.cancelBetweenOthers(stopping) }
  }

  @concurrent
  private static func cancelBetweenOthers(_ tasks: [Task<Void, Never>]) async {
    for _ in 0..<turnsOfAnAnswer { await Task.yield() }
    for (number, task) in tasks.enumerated() {
      if number % mostBetweenTurns == 0 { await Task.yield() }
      task.cancel()
    }
  }
}
