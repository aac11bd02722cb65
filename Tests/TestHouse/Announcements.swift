import AtelierProtocol
import Engine
import Synchronization

/// What an engine announces, in order; a test can wait for what is to come.
public final class Announcements: Sendable {
  private struct Watcher {
    var isMet: @Sendable ([Announcement]) -> Bool
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var all: [Announcement] = []
    var watchers: [Watcher] = []
  }

  private let state = Mutex(State())

  public init() {}

  public func record(_ announcement: Announcement) {
    let due = state.withLock { state in
      state.all.append(announcement)
      let all = state.all
      let due = state.watchers.filter { $0.isMet(all) }
      state.watchers.removeAll { $0.isMet(all) }
      return due
    }
    for watcher in due { watcher.continuation.resume() }
  }

  public var all: [Announcement] { state.withLock { $0.all } }

  public var progress: [GenerationProgress] {
    all.compactMap { if case .progress(let progress, _) = $0 { progress } else { nil } }
  }

  public var finished: [GenerationFinished] {
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

  /// Returns once what was announced meets the condition.
  public func meet(_ condition: @escaping @Sendable ([Announcement]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isMet = state.withLock { state in
        if condition(state.all) { return true }
        state.watchers.append(Watcher(isMet: condition, continuation: continuation))
        return false
      }
      if isMet { continuation.resume() }
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
