import AtelierProtocol
import JSON
import JSONRPC
import POSIX

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One connection to one service, from its start to its end.
final class ServiceConnection: Sendable {
  let peer: Connection
  let listener: ServiceListener
  /// Nil if this program has not started the service.
  let process: ServiceProcess?
  /// Why nothing more can come, once that is so.
  let lost = Promise<AtelierError>()
  private let greeted = Promise<Initialize.Result>()

  private init(_ transport: StdioTransport, _ process: ServiceProcess?, _ listener: ServiceListener) {
    var limits = ConnectionLimits()
    // Answers may carry several pictures, and no more is read than the service may send.
    limits.maximumMessageBytes = 1 << 30
    // The end of the service's output ends what it has asked.
    limits.drainTimeout = .zero
    self.listener = listener
    self.process = process
    peer = Connection(transport: transport, role: .client, framing: .fixed(.lines), limits: limits, handler: listener)
    Task { [peer, lost] in
      _ = await peer.run()
      await peer.finish(within: .zero)
      var loss = listener.fault
      if loss == nil { loss = await process?.loss() }
      let error = loss ?? .closed
      lost.fulfil(error)
      listener.fail(with: error)
    }
  }

  /// Reaches the service that `options` name and exchanges greetings with it.
  /// - Throws: `AtelierError`; `CancellationError`, after the end of a service that it has started.
  static func open(_ options: Studio.Options, subscriptions: Subscriptions) async throws -> ServiceConnection {
    let listener = ServiceListener(subscriptions: subscriptions, locationSearch: options.locationSearch)
    let connection: ServiceConnection
    if let command = try options.command() {
      let (process, transport) = try ServiceProcess.start(command, options)
      connection = ServiceConnection(transport, process, listener)
    } else {
      connection = ServiceConnection(try await reach(options.service), nil, listener)
    }
    do {
      try await connection.greet(options)
      return connection
    } catch {
      await Task { await connection.end(within: .zero) }.value
      throw error
    }
  }

  private static func reach(_ service: Studio.Options.Service) async throws -> StdioTransport {
    do {
      switch service {
      case .socket(let path):
        return try await LazyThreadPool.hostFiles.run {
          let socket = try UnixSocket.connect(to: path)
          let duplicate = try socket.raised()
          return try StdioTransport(
            input: socket.released(), output: duplicate.released(), ownsDescriptors: true, ignoresSIGPIPE: false)
        }
      case .descriptors(let input, let output):
        // One socket for both would be closed twice.
        let writing = output == input ? fcntl(output, F_DUPFD_CLOEXEC, 3) : output
        guard writing >= 0 else { throw SystemError(code: errno, operation: "duplicate descriptor \(output)") }
        return try StdioTransport(input: input, output: writing, ownsDescriptors: true, ignoresSIGPIPE: false)
      case .executable, .command: throw AtelierError(.invalidUse, "This service is to be started.")
      }
    } catch let error as SystemError {
      throw AtelierError(.connectionLost, error.description, retryable: true)
    }
  }

  private func greet(_ options: Studio.Options) async throws {
    let greeting = options.greeting(processID: getpid())
    let answer = try await withThrowingTaskGroup(of: Initialize.Result?.self) { group in
      group.addTask { try await self.send(greeting) }
      group.addTask {
        try await ContinuousClock().sleep(for: options.startLimit)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    guard let answer else {
      let message = "The Atelier service did not answer within \(options.startLimit)."
      throw AtelierError(.connectionLost, message, retryable: true)
    }
    greeted.fulfil(answer)
  }

  /// What the service has said of itself; nil before the greeting.
  var initialization: Initialize.Result? { greeted.current }

  /// False once nothing more can be asked.
  var isUsable: Bool { lost.current == nil && !listener.hasInputEnded && listener.fault == nil }

  /// Sends a request and waits for its answer. Cancelling the task withdraws it and throws at once.
  func send<Message: RequestMessage>(_ message: Message) async throws -> Message.Result {
    let params = try await LargePhotos.params(of: message, over: self)
    await peer.waitForRoom()
    let request = try prepare(Message.method, params)
    do {
      return try Self.decode(Message.Result.self, try await peer.answer(to: request))
    } catch let error as ResponseError {
      throw await Self.told(error, lost)
    }
  }

  /// A request under an id of its own, ready to be sent.
  /// - Throws: `invalid_request` when the service would not take it: it could not say whose answer the refusal is.
  func prepare(_ method: String, _ params: JSONValue) throws(AtelierError) -> Connection.OutgoingRequest {
    let request = peer.makeRequest(method, params)
    guard let limit = initialization?.limits.maxMessageBytes, request.byteCount > limit else { return request }
    throw AtelierError(
      .invalidRequest,
      "The request is \(request.byteCount) bytes long and the service takes \(limit). Name pictures by path instead of "
        + "sending their bytes.")
  }

  /// The members of a request.
  static func params(_ message: some RequestMessage) throws(AtelierError) -> JSONValue {
    do {
      return try JSONValueEncoder().encode(message)
    } catch {
      throw AtelierError(.invalidParams, "The request cannot be written: \(error)")
    }
  }

  /// - Throws: `protocol_error`, with the place that is not as promised.
  static func decode<Value: Decodable>(_ type: Value.Type, _ answer: JSONValue) throws(AtelierError) -> Value {
    do {
      return try JSONValueDecoder(unknownMembers: .ignore).decode(type, from: answer)
    } catch {
      throw AtelierError(misunderstood: error)
    }
  }

  /// The end of the connection is told with its reason, which is known a moment later.
  private static func told(_ error: ResponseError, _ lost: Promise<AtelierError>) async -> any Error {
    guard error == .connectionClosed else { return AtelierError(error) }
    if let loss = await lost.value() { return loss }
    return CancellationError()
  }

  /// Says that nothing more will be asked: the service finishes what it has to do and ends.
  func closeInput() async { await peer.finish(within: .seconds(1)) }

  /// Ends the connection, and the service if this program has started it.
  /// - Parameter limit: until it is terminated.
  func end(within limit: Duration) async {
    await closeInput()
    await process?.end(within: limit)
    peer.stop(.terminated(within: .zero))
  }
}
