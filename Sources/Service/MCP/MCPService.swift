import AtelierProtocol
import Engine
import JSON
import JSONRPC
import Synchronization

/// Answers the requests of one MCP client.
final class MCPService: ConnectionHandler {
  let engine: Engine
  let settings: MCPSettings
  let progress: CallProgress
  let starter: GenerationStarter
  let interest: CallInterest
  let confirmation: CostConfirmation
  /// Accessed on the reader's thread, in order of arrival.
  private let session = Mutex<Session?>(nil)
  /// The calls in flight that the client has cancelled.
  private let unwanted = Mutex<Set<RequestID>>([])
  private let peer = Mutex<Connection?>(nil)

  init(engine: Engine, settings: MCPSettings, progress: CallProgress) {
    self.engine = engine
    self.settings = settings
    self.progress = progress
    interest = CallInterest(engine: engine)
    starter = GenerationStarter(engine: engine, account: settings.account, interest: interest)
    confirmation = CostConfirmation(surroundings: engine.surroundings)
  }

  var caller: Caller { Caller(of: settings.account) }

  var connection: Connection? { peer.withLock { $0 } }

  func receive(_ request: Request, on connection: Connection) -> Disposition {
    peer.withLock { $0 = connection }
    do throws(ResponseError) {
      if request.method == "initialize" { return .answered(.success(.object(try initialize(request)))) }
      let call = try Call(request, in: session.withLock { $0 })
      guard let method = Method.named(call.method), method.exists(in: call.era) else {
        throw .methodNotFound(call.method)
      }
      return perform(method, call)
    } catch {
      return .answered(.failure(error))
    }
  }

  private func perform(_ method: Method, _ call: Call) -> Disposition {
    switch method.work {
    case .known(let answer):
      do {
        return .answered(.success(method.complete(try answer(call), in: call.era)))
      } catch {
        return .answered(.failure(error as? ResponseError ?? .internalError))
      }
    case .task(let answer):
      return .task { [self] in
        defer { unwanted.withLock { _ = $0.remove(call.id) } }
        do {
          return method.complete(try await answer(call, self), in: call.era)
        } catch let failure as JSONDecodingFailure {
          throw ResponseError.malformed(failure.message)
        } catch let error as AtelierError {
          throw ResponseError(code: error.kind.code, message: error.message)
        }
      }
    }
  }

  private func initialize(_ request: Request) throws(ResponseError) -> JSONObject {
    guard let asked = request.params["protocolVersion"]?.string else {
      throw .malformed("protocolVersion must be a string, such as \(LegacyVersion.latest.rawValue).")
    }
    let agreed = Session(
      version: LegacyVersion(answering: asked), client: ClientCapabilities(request.params["capabilities"]))
    session.withLock { $0 = agreed }
    return ServerDescription.initialized(agreed.version)
  }

  func receive(_ notification: Notification, on connection: Connection) {
    guard notification.method == "notifications/cancelled", let id = RequestID(notification.params["requestId"]) else {
      return
    }
    // The reason is in somebody else's words: whatever it says, the call may soon come again.
    unwanted.withLock { _ = $0.insert(id) }
    if !connection.withdraw(id) { unwanted.withLock { _ = $0.remove(id) } }
  }

  func cancellation(of id: RequestID) -> Notification {
    Notification(method: "notifications/cancelled", params: ["requestId": id.json])
  }

  /// Whether the client has cancelled this call.
  func isUnwanted(_ id: RequestID) -> Bool { unwanted.withLock { $0.contains(id) } }

  func inputEnded(hasReader: Bool) {
    if hasReader { Task { [engine] in await engine.generations.inputEnded() } }
  }
}

extension Caller {
  /// A caller that sees only the generations of its own account. Its files are not confined to the folders that the
  /// operator has opened: the person whose host starts the server may read them anyway.
  /// - Parameter request: the call that is told the progress; nil for none.
  init(of account: AccountID, telling request: RequestID? = nil) {
    self.init(confinedTo: account, requestID: request?.json, wantsProgress: request != nil)
    isConfined = false
  }
}
