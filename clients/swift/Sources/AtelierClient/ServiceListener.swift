import AtelierProtocol
import JSON
import JSONRPC
import Synchronization

/// What the service sends without being asked: progress, ends, other notifications, and questions about places.
final class ServiceListener: ConnectionHandler {
  private struct State {
    /// The generations that may still be told something, by the request that they belong to.
    var byRequest: [RequestID: GenerationHandle] = [:]
    /// The detached ones that were accepted and have not ended.
    var byGeneration: [GenerationID: RequestID] = [:]
    var hasInputEnded = false
    var fault: AtelierError?
  }

  private let state = Mutex(State())
  private let subscriptions: Subscriptions
  private let locationSearch: (@Sendable (LocationSearch) async throws -> [FoundPlace])?

  init(
    subscriptions: Subscriptions, locationSearch: (@Sendable (LocationSearch) async throws -> [FoundPlace])?
  ) {
    self.subscriptions = subscriptions
    self.locationSearch = locationSearch
  }

  // MARK: Generations

  /// Tells the generation from now on what the service says for the request `id`.
  func follow(_ generation: GenerationHandle, by id: RequestID) { state.withLock { $0.byRequest[id] = generation } }

  func unfollow(_ id: RequestID) { state.withLock { _ = $0.byRequest.removeValue(forKey: id) } }

  /// The request has started a detached generation, whose end is still to come.
  func expectEnd(of generation: GenerationID, startedBy id: RequestID) {
    state.withLock { $0.byGeneration[generation] = id }
  }

  /// Whether a detached generation of this connection has not ended.
  var hasDetached: Bool { state.withLock { !$0.byGeneration.isEmpty } }

  /// Why the connection is no longer usable, if the service has sent what is no message.
  var fault: AtelierError? { state.withLock { $0.fault } }

  var hasInputEnded: Bool { state.withLock { $0.hasInputEnded } }

  /// Nothing more will be told: whoever waits for something fails.
  func fail(with error: AtelierError) {
    let left = state.withLock { state in
      defer { (state.byRequest, state.byGeneration) = ([:], [:]) }
      return Array(state.byRequest.values)
    }
    for generation in left { generation.lose(error) }
    subscriptions.finish(isOver: false)
  }

  // MARK: The connection's handler, on the reader's thread

  func receive(_ request: Request, on connection: Connection) -> Disposition {
    guard request.method == LocationSearch.method, let locationSearch else {
      return .answered(.failure(.methodNotFound(request.method)))
    }
    return .task {
      let question: LocationSearch
      do throws(JSONDecodingFailure) {
        question = try JSONValueDecoder(unknownMembers: .ignore).decode(from: .object(request.params))
      } catch {
        throw ResponseError.invalidParams(error)
      }
      return try JSONValueEncoder().encode(LocationSearch.Result(places: try await locationSearch(question)))
    }
  }

  func receive(_ notification: Notification, on connection: Connection) {
    switch notification.method {
    case GenerationProgress.method: receiveProgress(notification.params)
    case GenerationFinished.method: receiveEnd(notification.params)
    default: break
    }
    subscriptions.receive(notification.method, notification.params)
  }

  private func receiveProgress(_ params: JSONObject) {
    guard let id = RequestID(params["requestId"]), let generation = state.withLock({ $0.byRequest[id] }),
      let progress = try? JSONValueDecoder(unknownMembers: .ignore).decode(GenerationProgress.self, from: .object(params))
    else { return }
    generation.receive(progress)
  }

  private func receiveEnd(_ params: JSONObject) {
    guard let name = params["generationId"]?.string else { return }
    let generation = state.withLock { state in
      let request = state.byGeneration.removeValue(forKey: GenerationID(rawValue: name))
      return request.flatMap { state.byRequest.removeValue(forKey: $0) }
    }
    guard let generation else { return }
    do throws(JSONDecodingFailure) {
      let ended: GenerationFinished = try JSONValueDecoder(unknownMembers: .ignore).decode(from: .object(params))
      generation.receiveEnd(.success(ended.generation))
    } catch {
      generation.receiveEnd(.failure(AtelierError(misunderstood: error)))
    }
  }

  func receiveUnreadable(_ reason: String, on connection: Connection) {
    let fault = AtelierError(.protocolError, "The service has sent something that is no message: \(reason)")
    state.withLock { $0.fault = $0.fault ?? fault }
    connection.stop(.outputFailed)
  }

  func inputEnded(hasReader: Bool) { state.withLock { $0.hasInputEnded = true } }
}
