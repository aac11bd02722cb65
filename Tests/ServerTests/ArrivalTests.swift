import JSON
import ServiceFixture
import Testing

@testable import Server

@Suite("Requests that follow one another at once", .timeLimit(.minutes(3)))
struct ArrivalTests {
  @Test(
    "requests that follow one another are in order for a key: a cancel right behind its request finds it", arguments: 1...20)
  func cancelBehind(round: Int) async throws {
    let fixture = try ServiceFixture()
    let service = try fixture.serve([ScriptedProvider(waitingAt: Gate())])
    let host = service.host
    try host.write(
      host.frame(
        #"{"jsonrpc":"2.0","id":1,"method":"generate","params":{"recipe":"create","prompt":"a boat","idempotencyKey":"k"}}"#)
        + host.frame(#"{"jsonrpc":"2.0","id":2,"method":"cancel","params":{"idempotencyKey":"k"}}"#))
    var answers: [JSONValue] = []
    while answers.count < 2, let message = await host.next() {
      if message["id"] != nil { answers.append(message) }
    }
    #expect(answers.allSatisfy { $0["result"]?["state"] == "cancelled" }, "\(answers)")
    host.closeInput()
    _ = await service.end()
  }

  @Test("requests that follow one another are not held up by one that was refused")
  func refused() async throws {
    let service = try ServiceFixture().serve([ScriptedProvider()])
    let host = service.host
    try host.write(
      host.frame(#"{"jsonrpc":"2.0","id":1,"method":"generate","params":{"recipe":"create","idempotencyKey":"k"}}"#)
        + host.frame(#"{"jsonrpc":"2.0","id":2,"method":"cancel","params":{"idempotencyKey":"k"}}"#))
    #expect(await host.answer(to: 2)?["error"]?["data"]?["kind"] == "not_found")
    host.closeInput()
    _ = await service.end()
  }

  @Test("requests take no params where there are none to take", arguments: ["ping", "rpc.discover", "shutdown"])
  func noParams(method: String) async throws {
    let service = try ServiceFixture().serve([ScriptedProvider()])
    let refused = try await service.host.call(1, method, ["nope": 1])
    #expect(refused?["error"]?["code"] == -32602)
    #expect(refused?["error"]?["data"]?["path"] == "/nope")
    #expect(try await service.host.call(2, "ping")?["result"] == [:])
    service.host.closeInput()
    _ = await service.end()
  }
}
