import Engine
import JSON
import JSONRPC
import Synchronization

/// Sends the progress of generations to the calls that wait for them and gave a token.
final class CallProgress: Sendable {
  private struct Told {
    var token: JSONValue
    var connection: Connection
    var progress = RisingProgress()
  }

  private let calls = Mutex<[RequestID: Told]>([:])

  /// From here on the call is told the progress of what it waits for. It goes on where it was if it has begun.
  func begin(_ call: Call, on connection: Connection?) {
    guard let token = call.progressToken, let connection else { return }
    calls.withLock { calls in
      if calls[call.id] == nil { calls[call.id] = Told(token: token, connection: connection) }
    }
  }

  func end(_ call: Call) {
    calls.withLock { $0[call.id] = nil }
  }

  /// Passes on what the engine announces for a call. The engine announces in order.
  func announce(_ announcement: Announcement) {
    guard case .progress(let progress, _) = announcement, let id = RequestID(progress.requestId) else { return }
    tell(progress.message.text, overall: progress.overall, to: id)
  }

  /// - Parameter overall: as of ``RisingProgress/next(_:)``.
  func tell(_ message: String, overall: Double, to id: RequestID) {
    let news: (told: Told, number: JSONNumber)? = calls.withLock { calls in
      guard let number = calls[id]?.progress.next(overall).flatMap(JSONNumber.init), let told = calls[id] else {
        return nil
      }
      return (told, number)
    }
    guard let news else { return }
    news.told.connection.notify(
      "notifications/progress",
      [
        "progressToken": news.told.token, "progress": .number(news.number), "total": .integer(RisingProgress.total),
        "message": .string(message),
      ], during: id)
  }
}
