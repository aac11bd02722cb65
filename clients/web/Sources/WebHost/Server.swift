import AtelierClient
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// Listens on an address and answers with the routes of a host.
enum Server {
  /// After so long without a byte, a connection without a request under way is closed, and one whose request is cut.
  private static let idleLimit = TimeAmount.seconds(75)

  /// Serves until the task is cancelled.
  /// - Parameter listening: is told the port.
  static func run(_ host: WebHost, host address: String, port: Int, listening: @escaping @Sendable (Int) async -> Void)
    async throws
  {
    var logger = Logger(label: "atelier-web")
    // What ends with the process is no error of a connection.
    logger.logLevel = .critical
    let configuration = ApplicationConfiguration(
      address: .hostname(address, port: port), backlog: 1024,
      availableConnectionsDelegate: .maximum(host.connections.most + host.connections.mostRefused, logger: logger))
    let application = Application(
      router: Interface.router(of: host),
      server: .http1(
        configuration: HTTP1Channel.Configuration(
          additionalChannelHandlers: [
            OldClients(), HeadResponses(), Expectations(), ConnectionLimit(host),
            UnreadBodies(most: Photos.maximumBytes * 2),
          ], idleTimeout: idleLimit)),
      configuration: configuration,
      onServerRunning: { channel in await listening(channel.localAddress?.port ?? port) },
      logger: logger)
    let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [application], logger: logger))
    host.stopping.withLock { $0.append(group) }
    try await group.run()
  }
}
