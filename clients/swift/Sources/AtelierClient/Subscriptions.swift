import AtelierProtocol
import JSON
import Synchronization

/// Who wants to be told which notifications.
final class Subscriptions: Sendable {
  private struct State {
    var isOver = false
    var next: UInt64 = 0
    var receivers: [String: [UInt64: Receiver]] = [:]
  }

  private struct Receiver: Sendable {
    var receive: @Sendable (JSONObject) -> Void
    var finish: @Sendable () -> Void
  }

  private let state = Mutex(State())

  /// The notifications of one type, from now on. Of those that wait to be read, the newest `count` are kept.
  func stream<Message: NotificationMessage>(of type: Message.Type, keeping count: Int) -> AsyncStream<Message> {
    let (stream, continuation) = AsyncStream.makeStream(of: Message.self, bufferingPolicy: .bufferingNewest(max(count, 1)))
    let receiver = Receiver(
      receive: { params in
        // One that this version does not understand is none.
        guard let message = try? JSONValueDecoder(unknownMembers: .ignore).decode(Message.self, from: .object(params)) else {
          return
        }
        continuation.yield(message)
      },
      finish: { continuation.finish() })
    let number: UInt64? = state.withLock { state in
      if state.isOver { return nil }
      state.next += 1
      state.receivers[Message.method, default: [:]][state.next] = receiver
      return state.next
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.receivers[Message.method]?.removeValue(forKey: number) }
    }
    return stream
  }

  /// Called on the reader's thread, in the order of arrival.
  func receive(_ method: String, _ params: JSONObject) {
    let receivers = state.withLock { $0.receivers[method].map { Array($0.values) } }
    for receiver in receivers ?? [] { receiver.receive(params) }
  }

  /// Ends every stream after what it has already.
  /// - Parameter isOver: whether streams that are asked for later end at once.
  func finish(isOver: Bool) {
    let receivers = state.withLock { state in
      defer { state.receivers = [:] }
      state.isOver = state.isOver || isOver
      return state.receivers.values.flatMap(\.values)
    }
    for receiver in receivers { receiver.finish() }
  }
}
