import JSON

/// The work of the reader's thread.
extension Connection {
  /// The capacity of a pipe.
  private static let readBytes = 1 << 16

  func read() {
    var frames = FrameParser(framing, maximumMessageBytes: limits.maximumMessageBytes)
    var buffer = [UInt8](repeating: 0, count: Self.readBytes)
    var announced: Framing?
    while true {
      if role == .service { outgoing.blockUntilRoom() }
      // A read error counts as the end of the input.
      guard let count = try? transport.read(into: &buffer), count > 0 else { break }
      frames.append(buffer[..<count])
      while let frame = frames.next() {
        if announced != frames.framing {
          announced = frames.framing
          announced.map(outgoing.use)
        }
        receive(frame)
      }
      outgoing.release(through: transport)
    }
    if end.current == nil, let frame = frames.finish() {
      frames.framing.map(outgoing.use)
      receive(frame)
    }
    outgoing.release(through: transport)
    end.fulfil(.inputEnded(hasReader: transport.hasReader))
    if transport.waitUntilReaderLeaves() { readerLeft.fulfil(()) }
  }

  private func receive(_ frame: Frame) {
    switch frame {
    case .message(let bytes): receive(bytes)
    case .oversized(let envelope, let bytes):
      trace?.recordUnreadable("a message of \(bytes) bytes")
      refuse(
        envelope, "A message of \(bytes) bytes is longer than the \(limits.maximumMessageBytes) bytes allowed.")
    case .malformed(let message):
      trace?.recordUnreadable("malformed framing")
      handler.receiveUnreadable(message, on: self)
      send(Response(id: nil, error: .parseError(message)))
    }
  }

  private func receive(_ bytes: ArraySlice<UInt8>) {
    do throws(JSONSyntaxError) {
      let value = try JSONValue(
        parsing: bytes.span, maximumDepth: limits.maximumDepth, maximumValues: limits.maximumValues)
      trace?.record(value, direction: .incoming)
      if case .array(let batch) = value { receive(batch: batch) } else { receive(IncomingMessage(value), for: nil) }
    } catch {
      trace?.recordUnreadable("a message of \(bytes.count) bytes")
      guard error.exceedsLimit else {
        handler.receiveUnreadable(error.message, on: self)
        return send(Response(id: nil, error: .parseError(error.message)))
      }
      var skimmer = EnvelopeSkimmer()
      skimmer.consume(bytes)
      refuse(skimmer.envelope, error.message)
    }
  }

  /// Refuses a message of which only the envelope is known: answers a request, or fails our own request for a response.
  private func refuse(_ envelope: EnvelopeSkimmer.Envelope, _ message: String) {
    if envelope.isResponse {
      guard let id = envelope.id else { return }
      receive(Response(id: id, error: ResponseError(code: ResponseError.internalError.code, message: message)))
    } else {
      refuse(Response(id: envelope.id, error: .invalidRequest(message)), for: nil)
    }
  }

  private func receive(batch: [JSONValue]) {
    guard !batch.isEmpty else {
      return send(Response(id: nil, error: .invalidRequest("A batch must hold at least one message.")))
    }
    guard batch.count <= limits.maximumBatchCount else {
      let message = "A batch may hold at most \(limits.maximumBatchCount) messages, not \(batch.count)."
      return send(Response(id: nil, error: .invalidRequest(message)))
    }
    let messages = batch.map { IncomingMessage($0) }
    let answers = messages.count { message in
      switch message {
      case .request, .invalid: true
      case .notification, .response, .ignored: false
      }
    }
    let batch = BatchAnswer(count: answers)
    for message in messages { receive(message, for: batch) }
  }

  private func receive(_ message: IncomingMessage, for batch: BatchAnswer?) {
    switch message {
    case .request(let request): receive(request, for: batch)
    case .notification(let notification): receive(notification)
    case .response(let response): receive(response)
    case .invalid(let response): refuse(response, for: batch)
    case .ignored: break
    }
  }

  private func receive(_ notification: Notification) {
    guard notification.method == "$/cancelRequest" else {
      return handler.receive(notification, on: self)
    }
    guard let id = RequestID(notification.params["id"]) else { return }
    state.withLock { $0.inFlight.cancel(id) }?.cancel()
  }

  private func receive(_ response: Response) {
    guard let id = response.id, let answered = state.withLock({ $0.unanswered.removeValue(forKey: id) }) else { return }
    answered(response.result.mapError { $0 as any Error })
  }
}
