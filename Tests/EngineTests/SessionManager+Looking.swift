import AtelierProtocol

@testable import Engine

extension SessionManager {
  var sessionCount: Int { sessions.count }
  var acceptedCount: Int { sessions.values.count { $0.isAccepted } }

  /// Nil when there is no such generation here.
  func waiterCount(of id: GenerationID) -> Int? { sessions[id]?.waiters.count }
  func isCancelWished(_ id: GenerationID) -> Bool { sessions[id]?.isCancelWished == true }
  func lookAtQueue() async { await queue.look(for: self) }
  func finishThumbnails() async {
    await upkeep.finish()
  }
  var liveIDs: [GenerationID] { Array(sessions.keys) }
  func request(of id: GenerationID) -> Generate? { sessions[id]?.work.request }
  func knows(_ id: GenerationID) -> Bool { sessions[id] != nil }
}
