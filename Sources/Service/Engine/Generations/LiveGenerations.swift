import AtelierProtocol

/// The generations of a ``LiveTable``, and those among them that a heartbeat concerns: it looks at these only, however many
/// others wait.
struct LiveGenerations: Sendable {
  private(set) var all: [GenerationID: LiveGeneration] = [:]
  /// Those whose progress somebody is told from time to time.
  private(set) var listenedTo: Set<GenerationID> = []
  /// Those in a phase that other processes have not been told.
  private(set) var unshared: Set<GenerationID> = []

  subscript(id: GenerationID) -> LiveGeneration? {
    get { all[id] }
    set {
      all[id] = newValue
      index(id)
    }
  }

  /// Changes a generation where it is.
  /// - Returns: nil when it is not there.
  @discardableResult
  mutating func update<Value>(_ id: GenerationID, _ change: (inout LiveGeneration) -> Value) -> Value? {
    guard let place = all.index(forKey: id) else { return nil }
    defer { index(id) }
    return change(&all.values[place])
  }

  private mutating func index(_ id: GenerationID) {
    let live = all[id]
    if live?.isListenedTo == true { listenedTo.insert(id) } else { listenedTo.remove(id) }
    if live?.isUnshared == true { unshared.insert(id) } else { unshared.remove(id) }
  }
}

extension LiveGeneration {
  /// Whether it is under way for others to see.
  var isTold: Bool { isAccepted && !isEnding }

  fileprivate var isListenedTo: Bool {
    isTold
      && (work.wantsProgress
        || waiters.values.contains { if case .watcher(let watcher) = $0 { watcher.wantsProgress } else { false } })
  }

  fileprivate var isUnshared: Bool { isTold && progress.phase != sharedNote?.phase }
}
