import Foundation
import Glibc
import JSON
import POSIX
import Support
import ServiceFixture
import Testing

@Suite("The process", .serialized, .timeLimit(.minutes(2)))
struct ProcessTests {
  private let directory: TemporaryDirectory
  private var data: [String] { ["--data-dir", "\(directory.path)/data"] }
  private let headshot: JSONValue = [
    "recipe": "headshot", "image": ["path": "Tests/Fixtures/portraits/astronaut.png"], "progress": false,
  ]

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func headshots(_ count: Int64, _ more: JSONObject = [:]) -> JSONValue {
    var params = headshot.object ?? [:]
    params["output"] = ["count": .number(JSONNumber(count))]
    for (name, value) in more { params[name] = value }
    return .object(params)
  }

  /// Returns once a generation is being worked on.
  private func begin(_ service: ServiceProcess, _ id: Int, _ params: JSONValue) async throws -> String? {
    try service.host.ask(id, "generate", params)
    while let told = await service.host.notification("generation/progress") {
      if told["phase"] == "processing" { return told["generationId"]?.string }
    }
    return nil
  }

  // MARK: Streams

  @Test("the process keeps its standard output for messages: descriptor 1 is standard error")
  func purity() async throws {
    // Otherwise only root can see where its descriptors lead.
    let service = try ServiceProcess(["ATELIER_ALLOW_DEBUGGER=1", Executable.path] + data, program: "/usr/bin/env")
    _ = try await service.host.call(1, "ping")
    #expect(try service.target(ofDescriptor: 1) == service.target(ofDescriptor: 2))
    let end = await service.finish()
    #expect(end.status == 0)
    #expect(end.rest.isEmpty)
    #expect(String(decoding: service.host.received, as: UTF8.self) == "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n")
  }

  @Test(
    "the process survives a standard error that is closed, or full", arguments: [ServiceProcess.StandardError.closed, .full])
  func standardError(_ standardError: ServiceProcess.StandardError) async throws {
    let service = try ServiceProcess(data + ["--log-level", "trace"], standardError: standardError)
    for id in 1...200 { try service.host.ask(id, "styles/list") }
    for _ in 1...200 { #expect(await service.host.next()?["result"] != nil) }
    #expect(try await service.host.call(999, "generate", headshot)?["result"]?["state"] == "succeeded")
    #expect(await service.finish().status == 0)
  }

  @Test("the process logs neither params nor pictures")
  func quietLog() async throws {
    let service = try ServiceProcess(data + ["--log-level", "trace"])
    let params = headshots(1, ["metadata": ["ticket": "a-private-word"]])
    #expect(try await service.host.call(1, "generate", params)?["result"]?["state"] == "succeeded")
    #expect(await service.finish().status == 0)
    let log = await service.errorText
    #expect(log.contains("method=generate"))
    #expect(!log.contains("a-private-word"))
    #expect(!log.contains("astronaut"))
  }

  @Test("the process mirrors the wire into a file of its owner's, payloads cut")
  func trace() async throws {
    let file = "\(directory.path)/trace"
    let service = try ServiceProcess(data + ["--trace", file])
    let photo = try Fixture.bytes("portraits/astronaut.png")
    let encoded = Data(photo).base64EncodedString()
    let params: JSONValue = ["recipe": "headshot", "image": ["data": .string(encoded)], "output": ["inline": true]]
    let answer = try await service.host.call(1, "generate", params)
    #expect(answer?["result"]?["images"]?[0]?["data"]?.string?.isEmpty == false)
    #expect(await service.finish().status == 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let trace = try String(contentsOfFile: file, encoding: .utf8)
    #expect(trace.contains("--> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"generate\""))
    #expect(trace.contains("<-- {\"jsonrpc\":\"2.0\",\"id\":1,\"result\""))
    #expect(!trace.contains(encoded.prefix(100)))
    #expect(trace.utf8.count < 20_000)
  }

  @Test("the process mirrors no key and no receipt, however wrong the params are")
  func secretsInTrace() async throws {
    let file = "\(directory.path)/trace"
    let service = try ServiceProcess(data + ["--trace", file])
    let secret = "AIzaSyD-secret_0123456789abcdefghijklm"
    let wrong: [JSONValue] = [
      ["provider": "gemini", "kye": .string(secret)], ["provider": "gemini", "Key": .string(secret)],
      ["provider": .string(secret), "key": "x"], ["provider": ["gemini": .string(secret)]], [secret: .string(secret)],
      ["provider": "gemini", "key": [.string(secret)]], ["provider": "gemini", "key": [secret: .string(secret)]],
      ["account": .string(secret), "proof": ["platform": "apple", "signedTransactoin": .string(secret)]],
      ["account": "anna", "proof": .string(secret)], ["account": "anna", "signedTransaction": .string(secret)],
      ["account": "anna", "proof": ["platform": .string(secret), "signedTransaction": .string(secret)]],
      ["recipe": "create", "prompt": .string("my key is \(secret)"), "model": .string(secret)],
    ]
    var count = 0
    for method in ["credentials/set", "credits/purchase", "generate", "initialize", secret] {
      for params in wrong {
        count += 1
        _ = try await service.host.call(count, method, params)
      }
    }
    try service.host.send(#"{"jsonrpc":"2.0","id":1,"method":"credentials/set","params":{"key":"\#(secret)"}"#)
    try service.host.send(#"[{"jsonrpc":"2.0","id":1,"method":"credentials/set","params":["\#(secret)"]},"\#(secret)"]"#)
    #expect(await service.finish().status == 0)
    let trace = try String(contentsOfFile: file, encoding: .utf8)
    #expect(trace.contains(#""method":"credentials/set""#))
    #expect(trace.contains(#""path":"/"#))
    #expect(!trace.contains("AIza") && !trace.contains("secret_"))
  }

  @Test("the process takes a last line without a newline, and a byte order mark")
  func edges() async throws {
    let service = try ServiceProcess(data)
    try service.host.write([0xEF, 0xBB, 0xBF] + Array("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}".utf8))
    let end = await service.finish()
    #expect(end.rest == [["jsonrpc": "2.0", "id": 7, "result": [:]]])
    #expect(end.status == 0)
  }

  // MARK: Options

  @Test("the process reads and writes the framing it is told to")
  func framing() async throws {
    let lines = try ServiceProcess(data + ["--framing", "ndjson"])
    try lines.host.send("Content-Length: 40\r\n\r")
    #expect(await lines.host.next()?["error"]?["code"] == -32700)
    #expect(try await lines.host.call(1, "ping")?["result"] == [:])
    #expect(await lines.finish().status == 0)

    let headers = try ServiceProcess(data + ["--framing", "headers"], framing: .headers)
    #expect(try await headers.host.call(1, "ping")?["result"] == [:])
    #expect(String(decoding: headers.host.received, as: UTF8.self).hasPrefix("Content-Length: 36\r\n\r\n{"))
    #expect(await headers.finish().status == 0)
  }

  @Test("the process refuses requests beyond --max-in-flight, and lets cancels and status pass")
  func maxInFlight() async throws {
    let service = try ServiceProcess(data + ["--max-in-flight", "1"])
    let id = try #require(try await begin(service, 1, headshots(4, ["progress": true])))
    let refused = try await service.host.call(2, "history")
    #expect(refused?["error"]?["code"] == 503)
    #expect(refused?["error"]?["data"]?["kind"] == "overloaded")
    #expect(try await service.host.call(3, "status")?["result"]?["inFlight"] == 1)
    try service.host.ask(4, "cancel", ["generationId": .string(id)])
    let end = await service.finish()
    #expect(end.rest.first { $0["id"] == 4 }?["result"]?["state"] == "cancelled")
    #expect(end.rest.first { $0["id"] == 1 }?["result"]?["state"] == "cancelled")
    #expect(end.status == 0)
  }

  @Test("the process skips a message beyond --max-message-bytes and goes on")
  func maxMessageBytes() async throws {
    let service = try ServiceProcess(data + ["--max-message-bytes", "1024"])
    let long = String(repeating: "x", count: 100_000)
    let refused = try await service.host.call(1, "generate", ["prompt": .string(long)])
    #expect(refused?["error"]?["code"] == -32600)
    #expect(try await service.host.call(2, "ping")?["result"] == [:])
    #expect(try await service.host.call(3, "initialize")?["result"]?["limits"]?["maxMessageBytes"] == 1024)
    #expect(await service.finish().status == 0)
  }

  // MARK: Ends

  @Test("the process finishes and answers what is in flight when the input ends")
  func endOfInput() async throws {
    let service = try ServiceProcess(data)
    try service.host.ask(1, "generate", headshot)
    try service.host.ask(2, "generate", headshots(1, ["detach": true]))
    let end = await service.finish()
    #expect(end.rest.first { $0["id"] == 1 }?["result"]?["state"] == "succeeded")
    #expect(end.rest.first { $0["id"] == 2 }?["result"]?["state"] == "queued")
    #expect(end.rest.first { $0["method"] == "generation/finished" }?["params"]?["state"] == "succeeded")
    #expect(end.status == 0)
  }

  @Test("a process without a reader cancels what is in flight, but finishes what is detached")
  func endWithoutReader() async throws {
    let service = try ServiceProcess(data)
    let detached = try #require(
      try await service.host.call(1, "generate", headshots(1, ["detach": true]))?["result"]?["generationId"])
    let attached = try #require(try await begin(service, 2, headshots(4, ["progress": true])))
    service.host.leave()
    #expect(await service.exitStatus.value == 0)

    let later = try ServiceProcess(data)
    #expect(try await later.host.call(1, "status", ["generationId": detached])?["result"]?["state"] == "succeeded")
    #expect(
      try await later.host.call(2, "status", ["generationId": .string(attached)])?["result"]?["state"] == "cancelled")
    #expect(await later.finish().status == 0)
  }

  @Test(
    "a process asked to end by a signal answers what is in flight as cancelled and ends well",
    arguments: [SIGTERM, SIGINT, SIGHUP])
  func termination(signal: Int32) async throws {
    let service = try ServiceProcess(data)
    _ = try await begin(service, 1, headshots(4, ["progress": true]))
    service.signal(signal)
    let rest = await service.host.rest().filter { $0["method"] == nil }
    #expect(rest.map { $0["id"] } == [1])
    #expect(rest.first?["result"]?["state"] == "cancelled")
    #expect(await service.exitStatus.value == 0)
  }

  @Test("a process asked to end while it finishes detached work after its input ends and leaves a truthful record")
  func terminationWhileDraining() async throws {
    let service = try ServiceProcess(data)
    let id = try #require(try await begin(service, 1, headshots(4, ["detach": true, "progress": true])))
    service.host.closeInput()
    service.signal(SIGTERM)
    #expect(await service.exitStatus.value == 0)
    let later = try ServiceProcess(data)
    // Nothing was sent for it, so the next service that stays does it.
    #expect(try await later.host.call(1, "status", ["generationId": .string(id)])?["result"]?["state"] == "queued")
    #expect(await later.finish().status == 0)
  }

  @Test("a process asked to end while its host does not read ends all the same")
  func terminationWithoutReading() async throws {
    let service = try ServiceProcess(data)
    _ = try await service.host.call(1, "ping")
    service.host.stopReading()
    // More than a pipe and everything that may wait for it: the service reads no more then.
    for id in 2...400 { try service.host.ask(id, "rpc.discover") }
    service.signal(SIGTERM)
    #expect(await service.exitStatus.value == 0)
  }

  @Test("a process killed while it works leaves a record that the next process settles")
  func killed() async throws {
    let service = try ServiceProcess(data)
    let id = try #require(try await begin(service, 1, headshots(4, ["progress": true])))
    service.signal(SIGKILL)
    #expect(await service.exitStatus.value == 128 + SIGKILL)
    let later = try ServiceProcess(data)
    let status = try await later.host.call(1, "status", ["generationId": .string(id)])?["result"]
    #expect(status?["state"] == "interrupted")
    #expect(status?["error"]?["data"]?["kind"] == "interrupted")
    #expect(await later.finish().status == 0)
  }

  @Test(
    "the notification exit ends the process at once: well after shutdown, else with 1, whatever comes after",
    arguments: [true, false])
  func exit(afterShutdown: Bool) async throws {
    let service = try ServiceProcess(data)
    _ = try await begin(service, 1, headshots(4, ["progress": true]))
    if afterShutdown { _ = try await service.host.call(2, "shutdown") }
    try service.host.notify("exit")
    service.host.closeInput()
    #expect(await service.exitStatus.value == (afterShutdown ? 0 : 1))
    let answers = await service.host.rest().filter { $0["id"] == 1 }
    #expect(answers.map { $0["result"]?["state"] } == ["cancelled"])
  }

  @Test("the process ends when the process that initialize named does")
  func hostDeath() async throws {
    let service = try ServiceProcess(data)
    let other = Process()
    other.executableURL = URL(fileURLWithPath: "/bin/cat")
    let input = try PipeEnds()
    other.standardInput = input.reading
    try other.run()
    let number = JSONNumber(Int64(other.processIdentifier))
    _ = try await service.host.call(1, "initialize", ["processId": .number(number)])
    #expect(try await service.host.call(2, "ping")?["result"] == [:])
    kill(other.processIdentifier, SIGKILL)
    #expect(await service.exitStatus.value == 0)
    other.waitUntilExit()
  }

  @Test(
    "the process serves a host whose process is none here until the end of the input, and says so",
    arguments: [0, -1, 4_194_305, .max])
  func hostElsewhere(number: Int32) async throws {
    let service = try ServiceProcess(data)
    let greeting = try await service.host.call(1, "initialize", ["processId": .number(JSONNumber(number))])
    #expect(greeting?["result"]?["serverInfo"] != nil)
    #expect(try await service.host.call(2, "ping")?["result"] == [:])
    #expect(await service.finish().status == 0)
    #expect(await service.errorText.contains("cannot be seen from here"))
  }

  @Test("the process ends with its parent when told to watch it")
  func parentDeath() async throws {
    // A shell between the two, whose death is not the end of the input.
    let script = "exec 3<&0; \"$0\" --watch-parent --data-dir \"$1\" <&3 & wait"
    let shell = try ServiceProcess(["-c", script, Executable.path, "\(directory.path)/data"], program: "/bin/sh")
    #expect(try await shell.host.call(1, "ping")?["result"] == [:])
    shell.signal(SIGKILL)
    #expect(await shell.exitStatus.value == 128 + SIGKILL)
    // The output ends when the service does.
    #expect(await shell.host.rest().isEmpty)
  }

  @Test("a process that serves an AI assistant ends with its parent, untold, although its input is still open")
  func assistantsParentByDefault() async throws {
    let script = "exec 3<&0; ATELIER_DATA_DIR=\"$1\" \"$0\" mcp <&3 & wait"
    let shell = try ServiceProcess(["-c", script, Executable.path, "\(directory.path)/data"], program: "/bin/sh")
    #expect(try await shell.host.call(1, "ping")?["result"] == [:])
    shell.signal(SIGKILL)
    #expect(await shell.host.rest().isEmpty)
  }

  @Test("a process whose data directory cannot be used answers what needs none, says what is wrong, and ends with 3")
  func unusableDirectory() async throws {
    let file = "\(directory.path)/file"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
    let service = try ServiceProcess(["--data-dir", file])
    #expect(try await service.host.call(1, "ping")?["result"] == [:])
    #expect(try await service.host.call(2, "status")?["result"]?["store"]?["healthy"] == false)
    let error = try await service.host.call(3, "history")?["error"]
    #expect(error?["code"] == 503)
    #expect(error?["data"]?["details"]?["hint"]?.string?.contains("atelier doctor") == true)
    #expect(await service.finish().status == 3)
    #expect(await service.errorText.contains(file))
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("mine".utf8))
  }
}
