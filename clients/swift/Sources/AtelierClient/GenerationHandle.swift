import AtelierProtocol
import JSON
import JSONRPC

/// A generation under way: wait for its ``result``, read its ``progress``, or ``cancel()`` it.
///
/// The generation belongs to those who wait for it: when their task is cancelled, it is cancelled, its one final answer is
/// waited for, because that decides over credits and pictures, and then `CancellationError` is thrown. One that is detached,
/// or that ``Studio/attach(to:account:)`` has returned, is cancelled by ``cancel()`` only.
///
/// A handle may be dropped; its generation goes on.
public final class GenerationHandle: Sendable {
  private let studio: Studio
  private let tracker: WaitableState<GenerationTracker>
  private let work: WaitableState<Work>

  /// What goes on for it.
  private struct Work: Sendable {
    var preparation: Task<Void, Never>?
    var request: (connection: ServiceConnection, id: RequestID)?
    /// Waits for the end of a detached generation, if somebody here does.
    var watch: Task<Void, Never>?
  }

  init(_ studio: Studio, _ tie: GenerationTracker.Tie, generationID: GenerationID? = nil) {
    self.studio = studio
    tracker = WaitableState(GenerationTracker(tie, generationID: generationID))
    work = WaitableState(Work())
  }

  // MARK: For everybody

  /// The id of the generation; nil until the service has sent it. ``accepted`` waits for it.
  public var generationID: GenerationID? { tracker.read { $0.generationID } }

  /// The newest progress; nil if there has been none.
  public var newestProgress: GenerationProgress? { tracker.read { $0.progress.last } }

  /// Whether the generation has ended, with a result or an error.
  public var hasEnded: Bool { tracker.read { $0.hasEnded } }

  /// The generation as it ended: succeeded, with some of the pictures, or cancelled by ``cancel()``. Waits for it.
  /// - Throws: the `AtelierError` that it failed with; `CancellationError`, see ``GenerationHandle``.
  public var result: Generation {
    get async throws {
      try await wait { $0.hasEnded }
      guard let outcome = tracker.read({ $0.outcome }) else { throw CancellationError() }
      return try outcome.get()
    }
  }

  /// The id of the generation, once the service has accepted it, durably if it is detached. Waits for it.
  /// - Throws: as ``result``, if it fails earlier.
  public var accepted: GenerationID {
    get async throws {
      try await wait { $0.generationID != nil || $0.hasEnded }
      if let generationID { return generationID }
      return try await result.generationId
    }
  }

  /// Its progress, past and future, until it ends. May be read any number of times, also late; of more than 256, the newest
  /// are kept. Leaving the loop early does not affect the generation. A failure is thrown by ``result``.
  public var progress: Progress { Progress(handle: self) }

  /// Cancels the generation. Does not wait, and may be called any number of times.
  ///
  /// ``result`` then has the state `cancelled`, or another one if the generation had already ended. If nothing was sent yet,
  /// it throws `request_cancelled`.
  public func cancel() { perform(tracker.change { $0.cancel() }) }

  /// Progress as a sequence. It throws `CancellationError` only.
  public struct Progress: AsyncSequence, Sendable {
    fileprivate let handle: GenerationHandle

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(handle: handle) }

    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate let handle: GenerationHandle
      private var seen: Int64?

      fileprivate init(handle: GenerationHandle) { self.handle = handle }

      /// The next progress; nil once the generation has ended.
      public mutating func next() async throws -> GenerationProgress? {
        let seen = seen
        try await handle.wait { $0.progress(after: seen) != nil || $0.hasEnded }
        let next = handle.tracker.read { $0.progress(after: seen) }
        self.seen = next?.sequence ?? seen
        return next
      }
    }
  }

  // MARK: Waiting

  private func wait(until isMet: @escaping @Sendable (GenerationTracker) -> Bool) async throws {
    watchIfDetached()
    if await tracker.wait(until: isMet) { return }
    if tracker.read({ $0.tie == .waiters }) {
      cancel()
      // In a task of its own, because this one cannot wait any more.
      await Task { _ = await self.tracker.wait { $0.hasEnded } }.value
    }
    throw CancellationError()
  }

  /// The service tells the end of a detached generation to the connection that started it. That may have been another one,
  /// if an idempotency key was sent again: a watch is told by every process.
  private func watchIfDetached() {
    guard tracker.read({ $0.tie == .itself && !$0.hasEnded }) else { return }
    work.change { work in
      guard work.watch == nil else { return }
      work.watch = Task {
        guard await tracker.wait(until: { $0.isSettled }), !hasEnded, let generationID else { return }
        do {
          let watch = GenerationWatch(generationId: generationID, progress: false)
          receiveEnd(.success(try await studio.send(watch, countsAsOwed: false)))
        } catch let error as AtelierError {
          receiveEnd(.failure(error))
        } catch {
          receiveEnd(.failure(.closed))
        }
      }
    }
  }

  // MARK: For the studio

  /// Whether the studio owes it nothing more before it may be closed.
  var isSettled: Bool { tracker.read { $0.isSettled } }
  var tie: GenerationTracker.Tie { tracker.read { $0.tie } }

  /// Sends the request once it is complete.
  /// - Parameter request: the method, and the params that are ready to be sent over the connection.
  func start(_ request: @escaping @Sendable (ServiceConnection) async throws -> (method: String, params: JSONValue)) {
    let preparation = Task {
      do {
        let connection = try await studio.usableConnection()
        let (method, params) = try await request(connection)
        await connection.peer.waitForRoom()
        try Task.checkCancellation()
        send(try connection.prepare(method, params), over: connection)
      } catch let error as AtelierError {
        end(.failure(error))
      } catch {
        end(.failure(.cancelledBeforeSent))
      }
      work.change { $0.preparation = nil }
    }
    work.change { work in
      if !isSettled { work.preparation = preparation }
    }
    if tracker.read({ $0.isCancelled }) { preparation.cancel() }
  }

  private func send(_ request: Connection.OutgoingRequest, over connection: ServiceConnection) {
    guard tracker.change({ $0.beginSending() }) else { return settle() }
    let id = request.id
    work.change { $0.request = (connection, id) }
    connection.listener.follow(self, by: id)
    connection.peer.send(request) { [self] answer in receiveAnswer(answer, to: id, over: connection) }
    perform(tracker.change { $0.sent() })
  }

  /// Called on the reader's thread, before anything that came later is looked at.
  private func receiveAnswer(_ answer: Result<JSONValue, any Error>, to id: RequestID, over connection: ServiceConnection) {
    let told: Result<Generation, AtelierError>
    switch answer {
    case .success(let value):
      do {
        told = .success(try ServiceConnection.decode(Generation.self, value))
      } catch {
        told = .failure(error)
      }
    // The listener tells its reason, once that is known.
    case .failure(let error as ResponseError) where error == .connectionClosed:
      return failWhenLost(connection)
    case .failure(let error as ResponseError): told = .failure(AtelierError(error))
    case .failure: told = .failure(.cancelledBeforeSent)
    }
    if tie == .itself, case .success(let generation) = told, !generation.state.isFinal {
      connection.listener.expectEnd(of: generation.generationId, startedBy: id)
    } else {
      connection.listener.unfollow(id)
    }
    let step = tracker.change { $0.answered(told) }
    settle()
    perform(step)
  }

  private func failWhenLost(_ connection: ServiceConnection) {
    Task { lose(await connection.lost.value() ?? .closed) }
  }

  func receive(_ progress: GenerationProgress) { tracker.change { $0.received(progress) } }

  /// The end of a detached generation.
  func receiveEnd(_ generation: Result<Generation, AtelierError>) { end(generation) }

  /// The connection is lost. Nobody knows what has become of the generation.
  func lose(_ error: AtelierError) { end(.failure(error)) }

  /// Ends what only looks at the generation, which goes on.
  func stopWatching() {
    let (watch, preparation, request) = work.read { ($0.watch, $0.preparation, $0.request) }
    watch?.cancel()
    guard tie == .others, !hasEnded else { return }
    preparation?.cancel()
    if let request { request.connection.peer.cancelRequest(request.id) }
  }

  private func end(_ outcome: Result<Generation, AtelierError>) {
    tracker.change { $0.end(outcome) }
    settle()
  }

  private func settle() {
    guard isSettled else { return }
    studio.settled(self)
    if hasEnded {
      work.change { work in
        work.request = nil
        work.watch = nil
      }
    }
  }

  private func perform(_ step: GenerationTracker.Step) {
    switch step {
    case .nothing: break
    case .stopPreparing: work.read { $0.preparation }?.cancel()
    case .cancelRequest:
      if let request = work.read({ $0.request }) { request.connection.peer.cancelRequest(request.id) }
    case .cancelGeneration(let id):
      // Its answer is the end, which comes to the request that waits for it.
      Task { _ = try? await studio.send(Cancel(target: .id(id)), countsAsOwed: true) }
    }
  }
}
