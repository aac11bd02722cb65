@_exported import AtelierProtocol
import JSON
import POSIX

/// An Atelier service, as a program uses it. ``withStudio(_:isolation:_:)`` is the usual way to have one.
///
/// Each is one connection, and one service process if it has started one. Any task may use it; requests run in parallel.
/// Every error is an `AtelierError`, also those of the client itself (``ClientErrorKind``), except `CancellationError`.
///
/// End it with ``close(cancelling:)``. Of one that is dropped without it, the service finishes what is in flight and ends.
public final class Studio: Sendable {
  /// What goes on over the connection.
  struct Traffic: Sendable {
    var requests = 0
    /// Those that must end, or be accepted if they are detached, before the connection may end.
    var generations: [ObjectIdentifier: GenerationHandle] = [:]
    /// Whether closing waits for that only for a while.
    var isCancelling = false
    var isClosed = false

    var isIdle: Bool { requests == 0 && generations.isEmpty }
  }

  let options: Options
  let current: CurrentConnection
  let subscriptions = Subscriptions()
  let traffic = WaitableState(Traffic())
  let closing = WaitableState<Task<Void, Never>?>(nil)

  /// Starts the service, or connects to it, and exchanges greetings.
  /// - Throws: `AtelierError`, such as `executable_not_found`, or `connection_lost` with the service's log if it ends at
  ///   once; `CancellationError`.
  public init(_ options: Options = Options()) async throws {
    var options = options
    if case .executable = options.service {
      // The program's working directory may be another one when the service is started again.
      options.dataDirectory = options.dataDirectory.map(ProcessEnvironment.absolute)
      options.config = options.config.map(ProcessEnvironment.absolute)
    }
    if case .descriptors = options.service, options.restart {
      throw AtelierError(.invalidUse, "A service at open descriptors cannot be started again.")
    }
    self.options = options
    current = CurrentConnection(options) { [options, subscriptions] in
      try await ServiceConnection.open(options, subscriptions: subscriptions)
    }
    do {
      _ = try await current.usable()
    } catch {
      // In a task of its own, because a cancelled one cannot wait for the end of what it has started.
      await Task { [current] in _ = await current.close(cancelling: true) }.value
      throw error
    }
  }

  deinit {
    Task { [current] in await current.abandon() }
    subscriptions.finish(isOver: true)
  }

  /// What the service has said of itself: version, capabilities, limits, providers.
  public var initialization: Initialize.Result {
    get async throws {
      guard let answer = try await current.usable().initialization else { throw AtelierError.closed }
      return answer
    }
  }

  /// Sends a request of the protocol and waits for its answer. ``generate(_:)`` is the better way to make pictures.
  ///
  /// Cancelling the task withdraws the request and throws at once.
  /// - Throws: the service's `AtelierError`, or one of the client's; `CancellationError`.
  public func send<Message: RequestMessage>(_ message: Message) async throws -> Message.Result {
    try await send(message, countsAsOwed: true)
  }

  /// - Parameter countsAsOwed: whether closing waits for the answer.
  func send<Message: RequestMessage>(_ message: Message, countsAsOwed: Bool) async throws -> Message.Result {
    let isOpen = traffic.change { traffic in
      if countsAsOwed, !traffic.isClosed { traffic.requests += 1 }
      return !traffic.isClosed
    }
    guard isOpen else { throw AtelierError.closed }
    defer {
      if countsAsOwed { traffic.change { $0.requests -= 1 } }
    }
    return try await current.usable().send(message)
  }

  /// The notifications of one type, from now on: `CreditsChanged`, `ProviderChanged`, `GenerationFinished` or
  /// `GenerationProgress`. They end with the connection, also where another one takes its place.
  /// - Parameter count: of those that wait to be read, the newest so many are kept.
  public func notifications<Message: NotificationMessage>(
    _ type: Message.Type, keeping count: Int = 256
  ) -> AsyncStream<Message> {
    subscriptions.stream(of: type, keeping: count)
  }

  func usableConnection() async throws -> ServiceConnection { try await current.usable() }
}

/// Runs `body` with a service, which ends properly whatever happens.
///
/// When `body` returns, the generations and requests in flight finish first. When it throws, or the task is cancelled, they
/// are cancelled first. Detached generations go on in either case.
/// - Returns: what `body` returns.
/// - Throws: what `body` throws; why there is no service, as ``Studio/init(_:)``.
public func withStudio<Value>(
  _ options: Studio.Options = Studio.Options(), isolation: isolated (any Actor)? = #isolation,
  _ body: (Studio) async throws -> Value
) async throws -> Value {
  let studio = try await Studio(options)
  let value: Value
  do {
    value = try await body(studio)
  } catch {
    await studio.close(cancelling: true)
    throw error
  }
  await studio.close()
  return value
}
