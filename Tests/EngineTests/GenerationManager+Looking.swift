import AtelierProtocol

@testable import Engine

extension GenerationManager {
  var sessionCount: Int { table.generations.count }
  var acceptedCount: Int { table.generations.values.count { $0.isAccepted } }

  /// Nil when there is no such generation here.
  func waiterCount(of id: GenerationID) -> Int? { table[id]?.waiters.count }
  func isCancelRequested(_ id: GenerationID) -> Bool { table[id]?.isCancelRequested == true }
  func distantWatcherCount(of id: GenerationID) -> Int { distantWatches.watchers(of: id).count }
  func lookAtQueue() async { await queue.look(for: self) }
  func finishThumbnails() async {
    await maintenance.finish()
  }
  var liveIDs: [GenerationID] { Array(table.generations.keys) }
  func request(of id: GenerationID) -> Generate? { table[id]?.work.request }
  func knows(_ id: GenerationID) -> Bool { table[id] != nil }
}
