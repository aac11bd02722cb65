import AtelierProtocol
import Store

/// The watchers in this process of generations that other processes work on, as a value. All of them share one look at
/// the store at a time, however many they are.
struct DistantWatches {
  /// What ends the wait.
  enum News {
    case ended(GenerationRow)
    /// This process has taken the generation over.
    case isHere
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
  /// When dead processes that could not be settled are settled again, as on a full disk.
  var settling = RetryPauses()
  /// When watchers that could not be noted are noted again.
  var noting = RetryPauses()

  var ids: [GenerationID] { Array(watches.keys) }

  func watchers(of id: GenerationID) -> [Watcher] { watches[id]?.values.map(\.watcher) ?? [] }

  mutating func add(_ watch: Watch, numbered number: Int, of id: GenerationID) { watches[id, default: [:]][number] = watch }

  /// Ends the waits of all watchers of a generation.
  mutating func end(_ id: GenerationID, with news: News) {
    for watch in watches.removeValue(forKey: id)?.values ?? [:].values { watch.continuation.resume(returning: news) }
  }

  /// Ends the wait of one watcher.
  mutating func cancel(_ number: Int, of id: GenerationID) {
    watches[id]?.removeValue(forKey: number)?.continuation.resume(returning: .cancelled)
    if watches[id]?.isEmpty == true { watches[id] = nil }
  }
}
