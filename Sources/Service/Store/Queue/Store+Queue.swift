import AtelierProtocol

/// The offline queue that all processes share.
extension Store {
  /// The deadline of a waiting generation and how often it was refused; nil for a generation that never had to wait.
  public func queueEntry(
    of id: GenerationID
  ) async throws(AtelierError) -> (deadline: Timestamp, attempts: Int)? {
    try await read { try $0.queue.entry(of: id) }
  }

  /// The state of the queue; costs next to nothing, however many generations wait.
  public func queueState() async throws(AtelierError) -> QueueState {
    try await read { [self] in try queueState(in: $0) }
  }

  /// The state of the queue, and the processes of unfinished generations: all that an idle process looks at, in one
  /// transaction.
  public func queueStateAndProcesses() async throws(AtelierError) -> (state: QueueState, processes: [ProcessID]) {
    try await read { [self] session in (try queueState(in: session), try session.generations.processesAtWork()) }
  }

  private func queueState(in session: any SQLSession) throws -> QueueState {
    var queueState = QueueState()
    queueState.providers = try session.queue.providers()
    if queueState.isEmpty { return queueState }
    queueState.nextDeadline = try session.queue.firstDeadline()
    queueState.outages = try outages(in: session)
    queueState.cooldowns = try session.cooldowns.latestEnds(at: surroundings.now())
    queueState.isPaused = try session.queue.isPaused(account: nil)
    return queueState
  }

  /// The positions of this process's generations: 1 for the one accepted first of all that wait for its provider. Reads
  /// all that wait.
  public func queuePositions() async throws(AtelierError) -> [GenerationID: Int] {
    try await read { [process] in try $0.queue.positions(ofProcess: process) }
  }

  /// The position of a generation of any process among those that wait for the same provider.
  /// - Returns: 1 for the first; nil when it is not in the queue.
  public func queuePosition(of id: GenerationID) async throws(AtelierError) -> Int? {
    try await read { try $0.queue.position(of: id) }
  }

  /// The generations in the queue, by provider.
  /// - Parameter account: the account they belong to; nil for all accounts.
  public func waitingLines(of account: AccountID?) async throws(AtelierError) -> [QueueLine] {
    try await read { try $0.queue.lines(of: account) }
  }

  /// Pauses or resumes waiting generations in every process, until changed again. Repeating a call has no effect.
  /// - Parameter account: the account to pause; nil for all accounts.
  public func setPaused(_ isPaused: Bool, account: AccountID?) async throws(AtelierError) {
    try await write { [self] session in
      if isPaused {
        try session.queue.pause(account: account, since: surroundings.now())
      } else {
        try session.queue.resume(account: account)
      }
    }
  }

  /// Whether the queue of this account is paused; for nil, whether it is paused for all accounts.
  public func isPaused(account: AccountID?) async throws(AtelierError) -> Bool {
    try await read { try $0.queue.isPaused(account: account) }
  }

  /// The durations of the latest successful generations, newest first.
  public func durationSamples(ofLatest count: Int) async throws(AtelierError) -> [DurationSample] {
    try await read { try $0.generations.durations(ofLatest: count) }
  }
}
