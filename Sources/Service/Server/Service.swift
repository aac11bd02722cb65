import AtelierProtocol
import Engine
import JSON
import JSONRPC
import Localization
import Logging
import Synchronization

/// Dispatches the requests of one host.
public final class Service: ConnectionHandler {
  /// The name of the service, reported in `initialize` and `status`.
  public static let name = "atelier"

  let engine: Engine
  private let limits: ConnectionLimits
  private let logger: Logger
  /// Accessed on the reader's thread, in order of arrival; also read when the engine announces something.
  private let lifecycle: Mutex<Lifecycle>
  private let statusOfExit = Mutex<Int32?>(nil)
  private let watchHost: @Sendable (Int32) -> Bool
  private let exit: @Sendable (Int32) -> Void

  /// - Parameters:
  ///   - rights: what whoever starts the service lets this host do.
  ///   - watchHost: called with the process id a host gives in `initialize`, so that the host's death ends the service;
  ///     returns whether that process can be watched.
  ///   - exit: ends the process with this status, at once.
  public init(
    engine: Engine, limits: ConnectionLimits, rights: ConnectionRights = ConnectionRights(), logger: Logger,
    watchHost: @escaping @Sendable (Int32) -> Bool, exit: @escaping @Sendable (Int32) -> Void
  ) {
    lifecycle = Mutex(Lifecycle(rights))
    self.engine = engine
    self.limits = limits
    self.logger = logger
    self.watchHost = watchHost
    self.exit = exit
  }

  public func receive(_ request: Request, on connection: Connection) -> Disposition {
    let log = log(of: request)
    switch answer(to: request, in: lifecycle.withLock { $0 }, on: connection) {
    case .answered(let result):
      log.ended(result.mapError { $0 })
      return .answered(result)
    case .task(let isUrgent, let perform):
      return .task(urgent: isUrgent) {
        do {
          let answer = try await perform()
          log.ended(.success(answer))
          return answer
        } catch {
          log.ended(.failure(error))
          throw error
        }
      }
    }
  }

  private func log(of request: Request) -> RequestLog {
    RequestLog(
      request, account: lifecycle.withLock(\.account), logger: logger, uptimeMs: engine.surroundings.uptimeMs)
  }

  private func answer(to request: Request, in lifecycle: Lifecycle, on connection: Connection) -> Disposition {
    guard lifecycle.admits(request.method) else { return .answered(.failure(.afterShutdown)) }
    switch request.method {
    case Ping.method: return .answered(accept(Ping.self, request) { .object([:]) })
    case Initialize.method: return .answered(initialize(request))
    case Shutdown.method:
      return .answered(
        accept(Shutdown.self, request) {
          self.lifecycle.withLock { $0.shutDown() }
          return .null
        })
    case Discover.method:
      return .task { try self.accept(Discover.self, request) { try ProtocolDocument.discovered.get() }.get() }
    default:
      return perform(
        request,
        for: lifecycle.caller(
          requestID: request.id.json,
          locationSource: lifecycle.searchesLocations ? HostLocationSearch(connection: connection) : nil))
    }
  }

  /// Answers a request of the connection itself, which takes no params.
  private func accept<Message: RequestMessage>(
    _ type: Message.Type, _ request: Request, answer: () throws -> JSONValue
  ) -> Result<JSONValue, ResponseError> {
    do {
      _ = try JSONValueDecoder(unknownMembers: .reject).decode(Message.self, from: .object(request.params))
      return .success(try answer())
    } catch let failure as JSONDecodingFailure {
      return .failure(.invalidParams(failure))
    } catch {
      return .failure(error as? ResponseError ?? .internalError)
    }
  }

  private func perform(_ request: Request, for caller: Caller) -> Disposition {
    guard let route = Route.of(request.method) else {
      return .answered(.failure(.methodNotFound(request.method)))
    }
    var caller = caller
    // Noted before anything runs: a cancel by this key may be the next message.
    if route.generates, let key = request.params["idempotencyKey"]?.string {
      caller.arrival = engine.generations.noteArrival(of: key)
    }
    return .task(urgent: route.isUrgent) { [self, caller] in
      if await isInPresentNames(request, caller) { return try await route.perform(request, caller, engine) }
      let (params, present) = await engine.inPresentNames(request.params, caller)
      if let account = present.confinedTo, account != caller.confinedTo {
        lifecycle.withLock { $0.follow(account) }
      }
      var request = request
      request.params = params
      return try await route.perform(request, present, engine)
    }
  }

  /// Whether a request need not be said in the names of today's accounts. A sign-in, and what deletes everything of an
  /// account, mean the very account that they name. What is about running work of an account waits for no database.
  private func isInPresentNames(_ request: Request, _ caller: Caller) async -> Bool {
    switch request.method {
    case AccountSignIn.method, AccountDelete.method: return true
    case HistoryDelete.method: return request.params["all"] == true
    default:
      guard let id = request.params["generationId"]?.string,
        let account = request.params["account"]?.string.map({ AccountID(rawValue: $0) }) ?? caller.confinedTo
      else { return false }
      return await engine.generations.works(on: GenerationID(rawValue: id), of: account)
    }
  }

  public func receive(_ notification: Notification, on connection: Connection) {
    guard notification.method == Exit.method else { return }
    let status: Int32 = lifecycle.withLock(\.isShutDown) ? 0 : 1
    statusOfExit.withLock { $0 = status }
    exit(status)
  }

  /// The exit status of the process, once `exit` was received.
  public var exitStatus: Int32? { statusOfExit.withLock { $0 } }

  public func overloaded(_ request: Request) -> ResponseError {
    let refusal = AtelierError(.overloaded, retryAfterMs: 1000)
      .response(to: request.id, at: engine.surroundings.now(), in: lifecycle.withLock(\.language))
    log(of: request).ended(.failure(refusal))
    return refusal
  }

  public func requestsEnd() { engine.generations.requestsEnd() }

  public func inputEnded(hasReader: Bool) {
    // At end of input, requests that wait for an unreachable provider are left to the next process instead of blocking
    // the exit.
    if hasReader { Task { [engine] in await engine.generations.inputEnded() } }
  }

  /// Whether the client wants notifications of this name.
  public func wants(_ notification: String) -> Bool {
    lifecycle.withLock { !$0.muted.contains(notification) }
  }

  /// Whether the client may learn of what happens in `account`: a confined one learns of its own only.
  public func maySee(_ account: AccountID) -> Bool {
    lifecycle.withLock { $0.concerns(account) }
  }

  /// Encodes what this client may be told.
  var encoder: JSONValueEncoder {
    let lifecycle = lifecycle.withLock { $0 }
    return JSONValueEncoder(in: lifecycle.language, confined: lifecycle.isConfined, to: engine.configuration.access)
  }

  private func initialize(_ request: Request) -> Result<JSONValue, ResponseError> {
    do {
      // Language-server clients send additional members here.
      let message = try JSONValueDecoder(unknownMembers: .ignore)
        .decode(Initialize.self, from: .object(request.params))
      if let refusal = lifecycle.withLock({ $0.refusal(of: message.account) }) {
        let language = message.locale.flatMap(Language.init(preferred:)) ?? .english
        return .failure(refusal.response(to: request.id, at: engine.surroundings.now(), in: language))
      }
      guard lifecycle.withLock({ $0.initialize(message) }) else { return .failure(.initializedTwice) }
      if let processID = message.processId, !watchHost(processID) {
        // The process id of a host in another container, or at the other end of ssh, means nothing here.
        logger.warning(
          "The host's process cannot be seen from here. The service ends with its input.",
          metadata: ["processId": "\(processID)"])
      }
      return .success(try encoder.encode(answer(to: message)))
    } catch let failure as JSONDecodingFailure {
      return .failure(.invalidParams(failure))
    } catch {
      return .failure(.internalError)
    }
  }

  private func answer(to message: Initialize) -> Initialize.Result {
    Initialize.Result(
      protocolVersion: ProtocolVersion.current,
      serverInfo: Initialize.ServerInfo(name: Self.name, version: Version.current),
      capabilities: Initialize.ServerCapabilities(
        recipes: engine.servedRecipes, methods: ProtocolRegistry.acceptedMethods,
        notifications: ProtocolRegistry.sentNotifications, watermark: engine.configuration.watermark != nil),
      limits: Initialize.Limits(
        maxMessageBytes: limits.maximumMessageBytes, maxImageBytes: engine.configuration.maximumImageBytes,
        maxInFlight: limits.maximumInFlight),
      providers: engine.providers.ids, locale: lifecycle.withLock(\.language).rawValue)
  }
}
