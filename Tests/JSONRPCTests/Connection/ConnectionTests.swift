import Testing

@testable import JSON
@testable import JSONRPC
@testable import POSIX

@Suite("A connection")
struct ConnectionTests {
  private func call(_ id: JSONValue, _ method: String, _ params: JSONValue = [:]) -> String {
    let message: JSONValue = ["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params]
    return message.serializedText + "\n"
  }

  @Test("a connection answers every kind of outcome, an unencodable result too")
  func outcomes() async throws {
    let session = try TestSession()
    let expected: [(method: String, code: Int64?)] = [
      ("echo", nil), ("work", nil), ("urgent", nil), ("fail", -32603), ("unencodable", -32603), ("refuse", 418),
      ("nope", -32601),
    ]
    for (method, code) in expected {
      try session.peer.send(call(.string(method), method, ["x": 1]))
      let answer = try #require(await session.peer.next())
      #expect(Answer(.string(method), code).id == answer["id"])
      #expect(answer["error"]?["code"]?.int64 == code, "\(method)")
      if code == nil { #expect(answer["result"] == ["x": 1]) }
    }
    session.peer.closeInput()
    #expect(await session.end() == .inputEnded(hasReader: true))
  }

  @Test("a connection refuses the id of a request in flight, and takes it again afterwards")
  func duplicates() async throws {
    let session = try TestSession()
    try session.peer.send(call(1, "wait") + call(1, "echo") + call("1", "echo"))
    #expect(Answer(reading: try #require(await session.peer.next())) == Answer(nil, -32600))
    #expect(Answer(reading: try #require(await session.peer.next())) == Answer("1"))
    session.handler.release.fulfil(())
    #expect(Answer(reading: try #require(await session.peer.next())) == Answer(1))
    try session.peer.send(call(1, "echo"))
    #expect(Answer(reading: try #require(await session.peer.next())) == Answer(1))
    session.peer.closeInput()
    _ = await session.end()
  }

  @Test("a connection answers no request in flight with the refusal of another message of its id")
  func attribution() async throws {
    var limits = ConnectionLimits()
    limits.maximumMessageBytes = 1_000
    let session = try TestSession(limits: limits)
    let long = String(repeating: "x", count: 1_000)
    let calls: [String] = [
      call(1, "echo"), call(1, "work"), call(1, "nope"), call(1, "urgent"), call(1, "echo", [1]),
      call(1, "echo", "text"), call(1, "echo", ["x": .string(long)]),
    ]
    let others: [String] = calls + [
      "{\"id\":1,\"method\":\"echo\"}\n", "{\"jsonrpc\":\"2.0\",\"id\":1}\n",
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}\n", "[\(calls[0].dropLast())]\n", "[\(calls[5].dropLast())]\n",
    ]
    try session.peer.send(call(1, "wait"))
    await session.handler.started.reaches(1)
    for other in others {
      try session.peer.send(other)
      let message = try #require(await session.peer.next())
      let answer = message.array?.first ?? message
      #expect(answer["id"] == .null, "\(other)")
      #expect((-32700 ... -32600).contains(answer["error"]?["code"]?.int64 ?? 0), "\(other)")
    }
    session.handler.release.fulfil(())
    #expect(Answer(reading: try #require(await session.peer.next())) == Answer(1))
    session.peer.closeInput()
    _ = await session.end()
  }

  @Test(
    "a connection keeps every line of an error short, whatever it would quote",
    arguments: ["x", "\u{1}", "\"", "é", "\u{301}z", "😀", "/", "~", "\u{2028}"])
  func longErrors(unit: String) async throws {
    let session = try TestSession()
    let long = String(repeating: unit, count: 70_000)
    let nested = (0..<4).reduce(JSONValue.string(long)) { value, _ in [long: value] }
    let many = JSONValue.object(JSONObject(members: (0..<3_000).map { ("\($0)\(unit)", .string("\(unit)\($0)")) }))
    var count = 0
    for message in [
      call(.string(long), "echo"), call(1, long), call(2, "echo", .string(long)), call(3, "wrong", [long: 1]),
      call(4, "wrong", ["known": .string(long)]), call(5, "wrong", ["known": [long: [long: 1]]]),
      call(6, "quoting", ["text": .string(long)]), call(7, "quoting", ["data": nested]),
      call(8, "quoting", ["data": many]), call(9, "quoting", ["data": .array([many, many])]),
      #"{"jsonrpc":"2.0","id":10,"method":\#(JSONValue.string(long).serializedText),"params":5}"# + "\n",
    ] {
      try session.peer.send(message)
      let answer = try #require(await session.peer.next())
      count += 1
      #expect(answer["error"]?["code"]?.int64 != nil)
      #expect(answer.serialized().count <= 60 << 10, "message \(count)")
      #expect(answer["id"] == (count == 1 ? .null : .number(JSONNumber(count - 1))), "message \(count)")
      let kind = try #require(answer["error"]?["data"]?["kind"]?.string)
      #expect(["kept", "invalid_request", "method_not_found", "invalid_params"].contains(kind), "message \(count)")
    }
    session.peer.closeInput()
    _ = await session.end()
  }

  @Test("a connection takes ids of up to 1,024 bytes as they are written in an answer")
  func longIDs() async throws {
    let session = try TestSession()
    for (id, isTaken) in [
      (String(repeating: "a", count: 1_022), true), (String(repeating: "a", count: 1_023), false),
      (String(repeating: "\u{1}", count: 170), true), (String(repeating: "\u{1}", count: 171), false),
    ] {
      try session.peer.send(call(.string(id), "echo"))
      let answer = try #require(await session.peer.next())
      #expect(Answer(reading: answer) == (isTaken ? Answer(.string(id)) : Answer(nil, -32600)))
    }
    session.peer.closeInput()
    _ = await session.end()
  }

  @Test("a connection cancels what it is told to cancel, and answers it once")
  func cancels() async throws {
    let session = try TestSession()
    try session.peer.send(call(1, "wait") + call(2, "outcome") + call(3, "wait"))
    await session.handler.started.reaches(3)
    for id in [1, 1, 2] {
      try session.peer.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"# + "\n")
    }
    var answers: [Answer?] = []
    var outcome: JSONValue?
    for _ in 0..<2 {
      let message = try #require(await session.peer.next())
      answers.append(Answer(reading: message))
      if message["id"] == 2 { outcome = message["result"]?["outcome"] }
    }
    #expect(answers.contains(Answer(1, -32800)))
    #expect(outcome == "cancelled", "a handler may answer a cancellation with a result")
    session.handler.release.fulfil(())
    session.peer.closeInput()
    #expect(await session.peer.rest().map { Answer(reading: $0) } == [Answer(3)])
  }

  @Test("a connection does not answer what its peer has withdrawn or tell more of it, but keeps its id to the work's end")
  func withdraws() async throws {
    let session = try TestSession()
    try session.peer.send(call(1, "deaf") + call(2, "wait"))
    await session.handler.started.reaches(2)
    session.connection.notify("about", ["id": 1], during: 1)
    #expect(session.connection.withdraw(1))
    session.connection.notify("about", ["id": 1], during: 1)
    session.connection.notify("about", ["id": 2], during: 2)
    #expect(session.connection.withdraw(2))
    #expect(!session.connection.withdraw(3))
    try session.peer.send(call(1, "echo"))
    #expect(try #require(await session.peer.next())["params"] == ["id": 1])
    #expect(try #require(await session.peer.next())["params"] == ["id": 2])
    #expect(Answer(reading: try #require(await session.peer.next())) == Answer(.null, -32600), "the id is still in use")
    session.handler.release.fulfil(())
    session.peer.closeInput()
    #expect(await session.peer.rest() == [])
    #expect(await session.end() == .inputEnded(hasReader: true))
  }

  @Test("a connection answers every member of a batch, one that its peer has withdrawn too")
  func withdrawsFromBatch() async throws {
    let session = try TestSession()
    let batch = #"[{"jsonrpc":"2.0","id":1,"method":"wait"},{"jsonrpc":"2.0","id":2,"method":"echo"}]"#
    try session.peer.send(batch + "\n")
    await session.handler.started.reaches(1)
    #expect(session.connection.withdraw(1))
    #expect(try #require(await session.peer.next()).array?.count == 2)
    session.peer.closeInput()
    _ = await session.end()
  }

  @Test("a connection refuses work beyond the limit, but nothing urgent, and takes more when there is room")
  func overload() async throws {
    var limits = ConnectionLimits()
    limits.maximumInFlight = 2
    let session = try TestSession(limits: limits)
    try session.peer.send(call(1, "wait") + call(2, "wait") + call(3, "wait") + call(4, "echo") + call(5, "urgent"))
    let overloaded = try #require(await session.peer.next())
    #expect(Answer(reading: overloaded) == Answer(3, 503))
    #expect(overloaded["error"]?["data"]?["retryAfterMs"] == 100)
    #expect(Answer(reading: try #require(await session.peer.next())) == Answer(4))
    #expect(Answer(reading: try #require(await session.peer.next())) == Answer(5))
    try session.peer.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"# + "\n")
    #expect(Answer(reading: try #require(await session.peer.next())) == Answer(1, -32800))
    try session.peer.send(call(6, "work"))
    #expect(Answer(reading: try #require(await session.peer.next())) == Answer(6))
    session.handler.release.fulfil(())
    session.peer.closeInput()
    _ = await session.end()
  }

  @Test("a connection puts every notification before the response that follows it")
  func order() async throws {
    let session = try TestSession()
    for id in 0..<50 {
      try session.peer.send(call(.number(JSONNumber(id)), "notifying"))
      var last: Int64 = -1
      while let message = await session.peer.next(), message["id"] == nil {
        let sequence = try #require(message["params"]?["sequence"]?.int64)
        #expect(sequence > last, "progress never goes back")
        last = sequence
      }
      #expect(last == 99, "the newest progress is never lost")
    }
    session.peer.closeInput()
    _ = await session.end()
  }

  @Test("a connection loses no answer to a slow reader, and reads no more than it can hold")
  func slowReader() async throws {
    var limits = ConnectionLimits()
    limits.maximumOutgoingBytes = 4096
    let session = try TestSession(limits: limits, capacity: 256, peerReads: false)
    let peer = session.peer
    let count = 2000
    let answerBytes = #"{"jsonrpc":"2.0","id":1000,"result":{"x":"0123456789"}}"#.utf8.count + 1
    try DedicatedThread.start { [call] in
      // Blocks once the connection has stopped reading, for as long as nobody reads its answers.
      for id in 1000..<1000 + count { try? peer.send(call(.number(JSONNumber(id)), "echo", ["x": "0123456789"])) }
    }
    await session.handler.echoed.reaches(4096 / answerBytes)
    // What waits, what the pipe holds, and what one read may add.
    #expect(session.handler.echoed.count <= (4096 + 4 * 256) / answerBytes)
    let (stream, feed) = AsyncStream.makeStream(of: JSONValue.self)
    try peer.startReading(.lines, feed)
    var expected: Int64 = 1000
    for await message in stream {
      #expect(message["id"]?.int64 == expected)
      expected += 1
      if expected == 1000 + count { peer.closeInput() }
    }
    #expect(expected == 1000 + Int64(count))
    #expect(await session.end() == .inputEnded(hasReader: true))
  }

  @Test("a connection answers a batch in one message once everything in it is done")
  func batch() async throws {
    let session = try TestSession()
    let members = [call(1, "wait"), call(2, "echo"), "7\n", call(3, "work"), call(1, "echo")].map { $0.dropLast() }
    try session.peer.send("[" + members.joined(separator: ",") + "]\n" + call(9, "echo"))
    #expect(Answer(reading: try #require(await session.peer.next())) == Answer(9), "the batch waits for its slowest")
    session.handler.release.fulfil(())
    let batch = try #require(await session.peer.next()?.array)
    let answers = batch.map { Answer(reading: $0) }
    #expect(answers.count == 5)
    #expect(answers.count { $0 == Answer(nil, -32600) } == 2, "the second request 1, and what is none")
    for answer in [Answer(1), Answer(2), Answer(nil, -32600), Answer(3)] {
      #expect(answers.contains(answer), "\(answer)")
    }
    session.peer.closeInput()
    _ = await session.end()
  }

  @Test("a connection asks its peer, and hears the answer, the refusal, the cancellation and the end")
  func asks() async throws {
    let session = try TestSession()
    try session.peer.send(call(1, "ask", ["q": 1]))
    let question = try #require(await session.peer.next())
    #expect(question["method"] == "question")
    #expect(question["params"] == ["q": 1])
    let id = try #require(question["id"])
    try session.peer.send((["jsonrpc": "2.0", "id": id, "result": [1, 2]] as JSONValue).serializedText + "\n")
    #expect(try #require(await session.peer.next())["result"] == [1, 2])

    try session.peer.send(call(2, "ask"))
    let second = try #require(await session.peer.next()?["id"])
    let refusal: JSONValue = ["jsonrpc": "2.0", "id": second, "error": ["code": -5, "message": "No."]]
    try session.peer.send(refusal.serializedText + "\n")
    #expect(Answer(reading: try #require(await session.peer.next())) == Answer(2, -5))

    try session.peer.send(call(3, "ask"))
    let third = try #require(await session.peer.next()?["id"])
    try session.peer.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":3}}"# + "\n")
    let cancel = try #require(await session.peer.next())
    #expect(cancel["method"] == "$/cancelRequest")
    #expect(cancel["params"] == ["id": third])
    #expect(Answer(reading: try #require(await session.peer.next())) == Answer(3, -32800))

    try session.peer.send(call(4, "ask"))
    _ = await session.peer.next()
    session.peer.closeInput()
    #expect(await session.peer.rest().map { Answer(reading: $0) } == [Answer(4, -32000)])
  }

  @Test("a connection ends its own request when the answer is too large or too deep to read")
  func unreadableAnswer() async throws {
    var limits = ConnectionLimits()
    limits.maximumMessageBytes = 200
    let session = try TestSession(limits: limits)
    try session.peer.send(call(1, "ask"))
    let id = try #require(await session.peer.next()?["id"])
    let long = String(repeating: "x", count: 500)
    try session.peer.send((["jsonrpc": "2.0", "id": id, "result": .string(long)] as JSONValue).serializedText + "\n")
    #expect(Answer(reading: try #require(await session.peer.next())) == Answer(1, -32603))
    session.peer.closeInput()
    _ = await session.end()
  }

  @Test("a connection passes notifications on, in order, but not cancellations")
  func notifications() async throws {
    let session = try TestSession()
    try session.peer.send(
      #"{"jsonrpc":"2.0","method":"a","params":{"x":1}}"# + "\n"
        + #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#
        + "\n" + #"{"jsonrpc":"2.0","method":"$/setTrace"}"# + "\n")
    session.peer.closeInput()
    _ = await session.end()
    let received = session.handler.notifications.withLock { $0 }
    #expect(received == [.init(method: "a", params: ["x": 1]), .init(method: "$/setTrace")])
  }

  @Test("a connection answers with headers whoever speaks with headers")
  func headers() async throws {
    let session = try TestSession(peerFraming: .headers)
    let message = String(call(1, "echo", ["x": "\u{2028}é"]).dropLast())
    try session.peer.send("Content-Length: \(message.utf8.count)\r\n\r\n\(message)")
    #expect(try #require(await session.peer.next())["result"] == ["x": "\u{2028}é"])
    session.peer.closeInput()
    _ = await session.end()
    #expect(session.peer.received.starts(with: "Content-Length: ".utf8))
    #expect(!session.peer.received.contains(0xE2), "U+2028 is never raw")
  }
}
