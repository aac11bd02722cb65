import AtelierProtocol
import Engine
import Synchronization

/// What an engine announces, in order; a test can wait for what is to come.
public final class Announcements: Sendable {
  private struct Watcher {
    var number: Int
    var isMet: @Sendable ([Announcement]) -> Bool
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var all: [Announcement] = []
    var watchers: [Watcher] = []
    var lastNumber = 0
  }

  private let state = Mutex(State())

  public init() {}

  public func record(_ announcement: Announcement) {
    let due = state.withLock { state in
      state.all.append(announcement)
      let all = state.all
      let partition = state.watchers.partition { $0.isMet(all) }
      defer { state.watchers.removeSubrange(partition...) }
      return Array(state.watchers[partition...])
    }
    for watcher in due { watcher.continuation.resume() }
  }

  public var all: [Announcement] { state.withLock { $0.all } }

  public var progress: [GenerationProgress] {
    all.compactMap { if case .progress(let progress, _) = $0 { progress } else { nil } }
  }

  public var finished: [Generation] {
    all.compactMap { if case .finished(let finished, _) = $0 { finished } else { nil } }
  }

  /// What was announced of providers, once there are `count` of it.
  public func providerChanges(_ count: Int) async -> [ProviderChanged] {
    @Sendable func changes(in all: [Announcement]) -> [ProviderChanged] {
      all.compactMap { if case .providerChanged(let changed) = $0 { changed } else { nil } }
    }
    await meet { changes(in: $0).count >= count }
    return changes(in: all)
  }

  /// Returns once what was announced meets the condition, or the task is cancelled, as that of a test is that takes too
  /// long: what it expects then does not hold.
  public func meet(_ condition: @escaping @Sendable ([Announcement]) -> Bool) async {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          // Cancelled before this point, the handler found nobody to wake.
          if Task.isCancelled || condition(state.all) { return true }
          state.watchers.append(Watcher(number: number, isMet: condition, continuation: continuation))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let watcher = state.withLock { state in
        state.watchers.firstIndex { $0.number == number }.map { state.watchers.remove(at: $0) }
      }
      watcher?.continuation.resume()
    }
  }

  /// Returns once a generation was told to be in `phase`; any generation when `id` is nil.
  public func reach(_ phase: Phase, of id: GenerationID? = nil) async {
    await meet { all in
      all.contains {
        guard case .progress(let progress, _) = $0 else { return false }
        return progress.phase == phase && (id == nil || id == progress.generationId)
      }
    }
  }

  /// Returns once `count` ends were announced.
  public func finish(_ count: Int = 1) async {
    await meet { all in all.count { if case .finished = $0 { true } else { false } } >= count }
  }
}
