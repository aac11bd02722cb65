import AtelierProtocol
import Engine

/// Which generations the client's calls wait for, and what becomes of one that the client gives up.
///
/// A client cancels a call because its person stopped it, or because it lost patience and will soon call again; its words
/// do not tell one from the other. So a generation whose request was sent, and may have been charged for, goes on for some
/// seconds in which another call can join it.
actor CallInterest {
  /// How long a given-up generation whose request was sent can still be joined, in milliseconds.
  static let graceMs: Int64 = 10_000

  private let engine: Engine
  /// How many calls wait for a generation.
  private var calls: [GenerationID: Int] = [:]
  /// The generations that the client polls as tasks.
  private var tasks: Set<GenerationID> = []
  /// The given-up generations that end soon.
  private var endings: [GenerationID: Task<Void, Never>] = [:]

  init(engine: Engine) { self.engine = engine }

  /// A call waits for the generation from here on, and its end is not given up any more.
  func begin(in id: GenerationID) async {
    calls[id, default: 0] += 1
    if let ending = endings[id] {
      ending.cancel()
      await ending.value
    }
    await engine.generations.noteInterest(in: id)
  }

  /// A call does not wait any more.
  func end(in id: GenerationID) {
    calls[id, default: 1] -= 1
    if calls[id] == 0 { calls[id] = nil }
  }

  /// The client polls the generation as a task, which only `tasks/cancel` ends.
  func beginTask(_ id: GenerationID) { tasks.insert(id) }

  func endTask(_ id: GenerationID) { tasks.remove(id) }

  /// The client has cancelled a call that makes the pictures: they are not wanted any more, unless another call or task
  /// of this client or a client of another process wants them.
  func giveUp(_ id: GenerationID) {
    guard !isWanted(id), endings[id] == nil else { return }
    endings[id] = Task { await self.cancelSoon(id) }
  }

  /// How many given-up generations have not ended yet.
  var endingCount: Int { endings.count }

  private func isWanted(_ id: GenerationID) -> Bool { calls[id] != nil || tasks.contains(id) }

  private func cancelSoon(_ id: GenerationID) async {
    defer { endings[id] = nil }
    // What was not sent costs nothing to make again.
    if await engine.generations.mayHaveBeenSent(id) {
      try? await engine.surroundings.sleep(.milliseconds(Self.graceMs))
    }
    guard !Task.isCancelled, !isWanted(id) else { return }
    await engine.generations.cancelUnlessWanted(id)
  }
}
