import AtelierProtocol
import Engine
import JSON
import JSONRPC
import Synchronization

/// Sends the engine's announcements to the host, except the muted ones.
///
/// Called synchronously while the engine decides, so that an announcement made before an answer precedes it on the
/// wire.
final class HostNotifier: Sendable {
  private struct Host {
    var service: Service
    var connection: Connection
  }

  private let host = Mutex<Host?>(nil)

  /// From here on announcements are sent; none occur earlier.
  func connect(_ connection: Connection, serving service: Service) {
    host.withLock { $0 = Host(service: service, connection: connection) }
  }

  func announce(_ announcement: Announcement) {
    guard let host = host.withLock({ $0 }) else { return }
    switch announcement {
    case .progress(let progress, let account):
      guard host.service.maySee(account) else { return }
      // The newest for a request replaces an earlier one that a slow reader has not received yet.
      let request = progress.requestId.map { String(decoding: $0.serialized(), as: UTF8.self) } ?? ""
      send(progress, coalescing: "\(progress.generationId.rawValue) \(request)", to: host)
    case .finished(let generation, let account):
      guard host.service.maySee(account) else { return }
      send(GenerationFinished(generation), coalescing: nil, to: host)
    case .creditsChanged(let changed):
      guard host.service.maySee(changed.account) else { return }
      send(changed, coalescing: nil, to: host)
    case .providerChanged(let changed):
      send(changed, coalescing: nil, to: host)
    }
  }

  private func send<Message: NotificationMessage>(_ message: Message, coalescing key: String?, to host: Host) {
    guard host.service.wants(Message.method), let params = try? host.service.encoder.encode(message) else { return }
    host.connection.notify(Message.method, params, coalescing: key)
  }
}
