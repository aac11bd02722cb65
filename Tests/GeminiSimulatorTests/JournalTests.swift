import Testing

@testable import GeminiSimulator

@Suite("What the simulator remembers", .timeLimit(.minutes(2)))
struct JournalTests {
  @Test("Times follow each other, and the answer does not begin before its latency is over")
  func times() async throws {
    try await withSimulator({ $0.latencyMilliseconds = 30 }) { simulator in
      let before = simulator.now
      let connection = try RawConnection(port: simulator.port)
      let request = RawRequest.generate(prompt: "a lighthouse")
      _ = try await connection.exchange(request)
      let record = try await simulator.waitForEnd(of: 1)
      let complete = try #require(record.times.bodyComplete)
      let headers = try #require(record.times.headers)
      let answered = try #require(record.times.answered)
      #expect(before <= record.times.received && record.times.received <= complete)
      #expect(headers - complete >= 30 && headers <= answered)
      #expect(record.times.closedByPeer == nil)
      connection.close()
      let closed = try await simulator.waitForClose(of: 1)
      #expect(closed.state == .answered)
      #expect(try #require(closed.times.closedByPeer) >= answered)
    }
  }

  @Test("A request is told with everything but its secrets")
  func record() async throws {
    try await withSimulator { simulator in
      var request = RawRequest.generate(StrictnessTests.good, key: "secret-key")
      request.headers.append(("X-Server-Timeout", "60"))
      _ = try await simulator.exchange(request)
      let record = try await simulator.waitForEnd(of: 1)
      #expect(record.operation == .generateContent && record.model == RawRequest.model)
      #expect(record.status == 200 && record.fault == nil && record.connection == 1)
      #expect(record.bytesReceived == request.body.count && record.bytesSent > 1000)
      #expect(record.header("x-server-timeout") == "60")
      #expect(record.header("X-Goog-Api-Key") == "present")
      #expect(record.credential.fingerprint == PictureMarker.fingerprint(of: "secret-key"))
      #expect(record.body == request.body)
      let facts = try #require(record.facts)
      #expect(facts.prompt == "make it red" && facts.turns == 1)
      #expect(facts.images == [.init(mimeType: "image/png", SamplePicture.png, role: "user")])
      #expect(facts.images.first?.bytes == SamplePicture.png.count)
      #expect(facts.images.first?.fingerprint == Checksum.fingerprint(SamplePicture.png))
      #expect(facts.json["generationConfig"]?["imageConfig"]?["imageSize"] == "2K")
      #expect(facts.json["contents"] == nil)
    }
  }

  @Test("Waiting for what does not come ends with the task, or with the simulator")
  func waiting() async throws {
    try await withSimulator { simulator in
      let task = Task { try await simulator.waitForRequest(1) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      let stopped = Task { try await simulator.waitForEnd(of: 1) }
      await simulator.stop()
      await #expect(throws: CancellationError.self) { try await stopped.value }
    }
  }

  @Test("Requests are forgotten, their numbers are not given again")
  func forgetting() async throws {
    try await withSimulator({ $0.journalCapacity = 2 }) { simulator in
      for prompt in ["a", "b", "c"] { _ = try await simulator.exchange(.generate(prompt: prompt)) }
      #expect(simulator.requests.map(\.id) == [2, 3])
      await #expect(throws: CancellationError.self) { try await simulator.waitForRequest(1) }
    }
  }

  @Test("A simulator that is stopped does not call its connections closed by their peers")
  func stopping() async throws {
    let simulator = try await GeminiSimulator.start()
    simulator.enqueue(.transport(.stallBeforeHead))
    let connection = try RawConnection(port: simulator.port)
    try await connection.send(RawRequest.generate(prompt: "x").bytes)
    try await simulator.waitForRequest(1)
    await simulator.stop()
    #expect(try await connection.receiveToEnd().isEmpty)
    try #require(!simulator.requests.isEmpty)
    #expect(simulator.requests[0].state == .broken)
    try #require(!simulator.connections.isEmpty)
    #expect(simulator.connections[0].end == .simulator)
  }
}
