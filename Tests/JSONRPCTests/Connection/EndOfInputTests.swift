import Testing

@testable import JSONRPC

@Suite("The end of the input")
struct EndOfInputTests {
  private func call(_ id: Int, _ method: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"}"# + "\n"
  }

  @Test("everything in flight is finished and answered when the input ends and a reader is there")
  func finishes() async throws {
    let session = try TestSession()
    try session.peer.send(call(1, "wait") + call(2, "wait"))
    session.peer.closeInput()
    #expect(await session.handler.readerAtEnd.value() == true)
    session.handler.release.fulfil(())
    let answers = await session.peer.rest().map { Answer(reading: $0) }
    #expect(Set(answers.map { "\($0, default: "none")" }) == ["1: result", "2: result"])
    #expect(await session.end() == .inputEnded(hasReader: true))
    #expect(session.handler.cancelled.count == 0)
  }

  @Test("the rest is cancelled and answered when the drain for a reader takes too long")
  func drainTimeout() async throws {
    let session = try TestSession()
    try session.peer.send(call(1, "wait") + call(2, "deaf"))
    await session.handler.started.reaches(2)
    session.peer.closeInput()
    await session.clock.someoneSleeps()
    session.clock.advance(by: .seconds(120))
    #expect(Answer(reading: try #require(await session.peer.next())) == Answer(1, -32800))
    await session.clock.someoneSleeps()
    session.clock.advance(by: .seconds(2))
    #expect(Answer(reading: try #require(await session.peer.next())) == Answer(2, -32800), "even what does not listen")
    session.handler.release.fulfil(())
    #expect(await session.peer.rest().isEmpty, "nothing is answered twice")
    #expect(await session.end() == .inputEnded(hasReader: true))
  }

  @Test("everything in flight is cancelled when the input ends without a reader")
  func cancelsWithoutReader() async throws {
    let session = try TestSession()
    try session.peer.send(call(1, "wait") + call(2, "wait"))
    await session.handler.started.reaches(2)
    session.peer.stopReading()
    session.peer.closeInput()
    #expect(await session.end() == .inputEnded(hasReader: false))
    #expect(await session.handler.readerAtEnd.value() == false)
    #expect(session.handler.cancelled.count == 2)
  }

  @Test("the rest is cancelled when the reader leaves during the drain")
  func readerLeavesLater() async throws {
    let session = try TestSession()
    try session.peer.send(call(1, "wait"))
    await session.handler.started.reaches(1)
    session.peer.closeInput()
    #expect(await session.handler.readerAtEnd.value() == true)
    session.peer.stopReading()
    #expect(await session.end() == .inputEnded(hasReader: false))
    #expect(session.handler.cancelled.count == 1)
  }

  @Test("a write that fails counts as the end, without a reader")
  func outputFails() async throws {
    let session = try TestSession()
    try session.peer.send(call(1, "wait"))
    await session.handler.started.reaches(1)
    session.peer.stopReading()
    try session.peer.send(call(2, "echo"))
    #expect(await session.end() == .outputFailed)
    #expect(session.handler.cancelled.count == 1)
  }

  @Test("a dead host counts as the end, without a reader")
  func hostDies() async throws {
    let session = try TestSession()
    try session.peer.send(call(1, "wait"))
    await session.handler.started.reaches(1)
    session.connection.stop(.hostDied)
    #expect(await session.end() == .hostDied)
    #expect(await session.handler.readerAtEnd.value() == false)
    #expect(session.handler.cancelled.count == 1)
  }

  @Test("a termination cancels, answers, and gives what does not listen its time and no more")
  func terminated() async throws {
    let session = try TestSession()
    try session.peer.send(call(1, "wait") + call(2, "deaf"))
    await session.handler.started.reaches(2)
    session.connection.stop(.terminated(within: .milliseconds(1500)))
    #expect(Answer(reading: try #require(await session.peer.next())) == Answer(1, -32800))
    await session.clock.someoneSleeps()
    session.clock.advance(by: .milliseconds(1500))
    #expect(await session.peer.rest().map { Answer(reading: $0) } == [Answer(2, -32800)])
    #expect(await session.end() == .terminated(within: .milliseconds(1500)))
    session.handler.release.fulfil(())
  }

  @Test("a termination during the drain cuts it short")
  func terminatedWhileDraining() async throws {
    let session = try TestSession()
    try session.peer.send(call(1, "wait"))
    await session.handler.started.reaches(1)
    session.peer.closeInput()
    #expect(await session.handler.readerAtEnd.value() == true)
    session.connection.stop(.terminated(within: .seconds(1)))
    #expect(await session.peer.rest().map { Answer(reading: $0) } == [Answer(1, -32800)])
    #expect(await session.end() == .inputEnded(hasReader: true))
  }

  @Test("a request that comes after the termination is answered as cancelled, not started")
  func afterTermination() async throws {
    let session = try TestSession()
    session.connection.cancelAll()
    try session.peer.send(call(1, "work"))
    #expect(Answer(reading: try #require(await session.peer.next())) == Answer(1), "cancelling nothing changes nothing")
    session.peer.closeInput()
    _ = await session.end()
    await #expect(throws: ResponseError.connectionClosed) { try await session.connection.request("question", [:]) }
  }
}
