import JSON

/// Requests from the peer: admission, execution and the single answer.
extension Connection {
  /// Called on the reader's thread.
  func receive(_ request: Request, for batch: BatchAnswer?) {
    guard !state.withLock({ $0.inFlight.contains(request.id) }) else { return refuseDuplicate(request, for: batch) }
    switch handler.receive(request, on: self) {
    case .answered(let result): send(Response(id: request.id, result: result), for: batch)
    case .task(let isUrgent, let work): start(work, for: request, isUrgent: isUrgent, batch: batch)
    }
  }

  private func start(
    _ work: @escaping @Sendable () async throws -> JSONValue, for request: Request, isUrgent: Bool, batch: BatchAnswer?
  ) {
    let id = request.id
    let admission: InFlightTable<Task<Void, Never>>.Admission? = state.withLock { state in
      guard !state.hasInputEnded else { return nil }
      let admission = state.inFlight.admit(id, isUrgent: isUrgent)
      if admission == .admitted { state.batches[id] = batch }
      return admission
    }
    switch admission {
    case .admitted:
      let task = Task(priority: isUrgent ? .high : .medium) { [self] in
        complete(id, with: await Self.outcome(of: work))
      }
      state.withLock { $0.inFlight.attach(task, to: id) }?.cancel()
    case .duplicate: refuseDuplicate(request, for: batch)
    case .full: send(Response(id: id, error: handler.overloaded(request)), for: batch)
    case nil: send(Response(id: id, error: .requestCancelled), for: batch)
    }
  }

  private static func outcome(
    of work: @Sendable () async throws -> JSONValue
  ) async -> Result<JSONValue, ResponseError> {
    do {
      return .success(try await work())
    } catch let error as ResponseError {
      return .failure(error)
    } catch is CancellationError {
      return .failure(.requestCancelled)
    } catch {
      return .failure(.internalError)
    }
  }

  /// Answers a request in flight, unless it has been answered before.
  func complete(_ id: RequestID, with result: Result<JSONValue, ResponseError>) {
    let response = Response(id: id, result: result.mapError(\.bounded))
    // Serialised before taking the lock: a result may hold many megabytes.
    let bytes = MessageSerializer.bytes(of: response)
    state.withLock { state in
      let isWanted = state.inFlight.finish(id)
      // Queued before the request counts as done, so that a drained connection has every answer in its queue.
      if isWanted, let batch = state.batches.removeValue(forKey: id) {
        collect(response, for: batch, isHeld: false)
      } else if isWanted {
        trace?.record(response)
        outgoing.append(bytes)
      }
      if state.hasInputEnded, state.inFlight.isEmpty { drained.fulfil(()) }
    }
  }

  private func refuseDuplicate(_ request: Request, for batch: BatchAnswer?) {
    let message = "A request was refused: its id \(request.id) belongs to another one that is still in flight."
    // Sent without the id: otherwise this would be taken for the answer to the request in flight.
    send(Response(id: nil, error: .invalidRequest(message)), for: batch)
  }

  /// Answers an invalid request; omits its id if a request in flight has the same id.
  func refuse(_ response: Response, for batch: BatchAnswer?) {
    let isTaken = response.id.map { id in state.withLock { $0.inFlight.contains(id) } } ?? false
    send(isTaken ? Response(id: nil, result: response.result) : response, for: batch)
  }

  /// Sends an answer from the reader's thread, which releases its queued answers after every read.
  func send(_ response: Response, for batch: BatchAnswer? = nil) {
    let response = Response(id: response.id, result: response.result.mapError(\.bounded))
    if let batch { return collect(response, for: batch, isHeld: true) }
    trace?.record(response)
    outgoing.append(MessageSerializer.bytes(of: response), isHeld: true)
  }

  private func collect(_ response: Response, for batch: BatchAnswer, isHeld: Bool) {
    guard let responses = batch.add(response) else { return }
    trace?.record(.array(responses.map(\.json)), direction: .outgoing)
    outgoing.append(MessageSerializer.bytes(ofBatch: responses), isHeld: isHeld)
  }
}
