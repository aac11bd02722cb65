import AtelierProtocol
import Store

/// The watchers in this process of generations that other processes work on, as a value. All of them share one look at
/// the store at a time, however many they are.
struct DistantWatches {
  /// What ends the wait.
  enum News {
    case ended(GenerationRow)
    /// This process has taken the generation over. The watcher as it has been told so far.
    case isHere(Watcher)
    /// This process is leaving, and another one will do the work.
    case leftQueued
    case cancelled
    case failed(any Error)
  }

  struct Watch {
    var watcher: Watcher
    var continuation: CheckedContinuation<News, Never>
  }

  private(set) var watches: [GenerationID: [Int: Watch]] = [:]
  /// Looks from time to time while there are watches.
  var looking: Task<Void, Never>?
  /// When dead processes that could not be recovered are recovered again, as on a full disk.
  var recovering = RetryPauses()
  /// When watchers that could not be noted are noted again.
  var noting = RetryPauses()

  private var lastNumber = 0

  var ids: [GenerationID] { Array(watches.keys) }

  func watchers(of id: GenerationID) -> [Watcher] { watches[id]?.values.map(\.watcher) ?? [] }

  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  mutating func add(_ watch: Watch, numbered number: Int, of id: GenerationID) { watches[id, default: [:]][number] = watch }

  /// Ends the waits of all watchers of a generation.
  mutating func answer(_ id: GenerationID, with news: News) {
    for watch in watches.removeValue(forKey: id)?.values ?? [:].values { watch.continuation.resume(returning: news) }
  }

  /// Ends the waits of all watchers of a generation that this process has taken over.
  mutating func handOver(_ id: GenerationID) {
    for watch in watches.removeValue(forKey: id)?.values ?? [:].values {
      watch.continuation.resume(returning: .isHere(watch.watcher))
    }
  }

  /// Takes in the progress that another process has shared.
  /// - Returns: those to tell, by their numbers: each that has heard nothing of it, or nothing for as long as `silenceMs`;
  ///   and whether it was news to any.
  mutating func take(
    _ shared: GenerationProgress?, of id: GenerationID, silenceMs: Int64, atMs now: Int64
  ) -> (due: [Int], hasNews: Bool) {
    var (due, isAnyNews): ([Int], Bool) = ([], false)
    for (number, watch) in watches[id] ?? [:] where watch.watcher.wantsProgress {
      let hasNews = watches[id]?[number]?.watcher.take(shared) ?? false
      if hasNews { isAnyNews = true }
      if hasNews || watch.watcher.isDue(after: silenceMs, atMs: now) { due.append(number) }
    }
    return (due, isAnyNews)
  }

  /// The notifications for these watchers of a generation.
  mutating func notifications(
    of id: GenerationID, to numbers: [Int], from progress: GenerationProgress, atMs now: Int64
  ) -> [GenerationProgress] {
    numbers.compactMap { watches[id]?[$0]?.watcher.notification(of: progress, atMs: now) }
  }

  /// Ends the wait of one watcher.
  mutating func cancel(_ number: Int, of id: GenerationID) {
    watches[id]?.removeValue(forKey: number)?.continuation.resume(returning: .cancelled)
    if watches[id]?.isEmpty == true { watches[id] = nil }
  }
}
