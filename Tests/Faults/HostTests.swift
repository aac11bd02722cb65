import Foundation
import Glibc
import JSON
import Support
import Testing

extension Faults {
  /// Hosts that read late or not at all, leave in the middle, or die.
  @Suite("Bad hosts")
  struct HostTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    @Test("hosts that read late find every answer")
    func late() async throws {
      let service = try scene.service(isRead: false)
      // More than a pipe holds, by far: each answer brings its picture along.
      let params = (0..<6).map { number in
        scene.headshot(["output": ["inline": true], "idempotencyKey": .string("late-\(number)")])
      }
      let asked = params.map { service.ask("generate", $0) }
      let pings = (0..<2_000).map { _ in service.ask("ping") }
      // The work goes on meanwhile: another service, asked for the same, answers when it is done.
      let watcher = try scene.service()
      for request in params.map({ watcher.ask("generate", $0) }) {
        #expect(try await watcher.answer(to: request)["result"]?["state"] == "succeeded")
      }
      #expect(try await watcher.finished() == .exited(0))
      service.beginReading()
      for request in asked {
        let answer = try await service.answer(to: request)
        #expect(answer["result"]?["images"]?[0]?["data"]?.string != nil, "\(request)")
      }
      for request in pings { #expect(try await service.answer(to: request)["result"] == .object([:])) }
      #expect(try await service.finished() == .exited(0))
      try scene.expectOrder(processes: 0)
    }

    @Test("a service started with nohup goes on when its terminal is lost")
    func hangUp() async throws {
      let service = try ServiceChild(dataDirectory: scene.data, launcher: ["/usr/bin/nohup"])
      _ = try await service.call("ping")
      service.signal(SIGHUP)
      for _ in 0..<3 { #expect(try await service.call("status")["result"] != nil) }
      #expect(try await service.finished() == .exited(0))
    }

    @Test("hosts that stop reading in the middle have everything but detached work cancelled", arguments: [true, false])
    func deaf(endsInput: Bool) async throws {
      let service = try scene.service(isRead: false)
      let other = try scene.service()
      for key in ["detached", "waiting"] {
        service.ask(
          "generate",
          scene.headshot([
            "idempotencyKey": .string(key), "detach": .bool(key == "detached"), "output": ["count": 4],
          ]))
        // Another service tells when it is accepted, for this one's word is not read.
        while try await other.call("status", ["idempotencyKey": .string(key)])["error"] != nil {}
      }
      service.closeOutput()
      if endsInput { service.closeInput() }
      #expect(try await service.ended() == .exited(0))
      #expect(service.errorText == "")
      for (key, end) in [("detached", "succeeded"), ("waiting", "cancelled")] {
        let status = try await other.call("status", ["idempotencyKey": .string(key)])
        #expect(status["result"]?["state"]?.string == end, "\(key): \(status.text)")
      }
      #expect(try await other.finished() == .exited(0))
      try scene.expectOrder(processes: 0)
    }

    @Test("hosts that end in the middle of a message have all the others answered")
    func halfMessage() async throws {
      let service = try scene.service()
      let request = service.ask("generate", scene.headshot())
      service.write(Array(#"{"jsonrpc":"2.0","id":99,"method":"gener"#.utf8))
      #expect(try await service.finished() == .exited(0))
      #expect(try await service.answer(to: request)["result"]?["state"] == "succeeded")
      #expect(service.output.value.messages.contains { $0["error"]?["code"] == -32700 })
      try scene.expectOrder(processes: 0)
    }

    @Test("hosts that end in the middle of a framed message have all the others answered")
    func halfFrame() async throws {
      let service = try scene.service(["--framing", "headers"], isRead: false)
      service.write(Array("Content-Length: 500\r\n\r\n{\"jsonrpc\":".utf8))
      service.closeInput()
      #expect(try await service.ended() == .exited(0))
    }

    @Test("hosts that name their process and die make the service end", arguments: [SIGKILL, SIGTERM])
    func namedHost(signal: Int32) async throws {
      let host = try ServiceChild(command: ["/bin/sleep", "1000"])
      let service = try scene.service()
      _ = try await service.call("initialize", ["processId": .number(JSONNumber(host.processID))])
      let request = service.ask("generate", scene.headshot(["output": ["count": 4]]))
      try await service.reached("processing", of: request)
      let id = try await service.generation(of: request)
      host.signal(signal)
      // Its input is still open: only the host's death can end it.
      #expect(try await service.ended() == .exited(0))
      #expect(try DataDirectoryAudit(path: scene.data).states() == [id: "cancelled"])
      try scene.expectOrder(processes: 0)
    }

    @Test("hosts that die leave no service behind when it watches its parent")
    func parent() async throws {
      // The shell is the parent; it gives the service its own streams, which stay open when it dies.
      let service = try scene.service(
        ["--watch-parent"], launcher: ["/bin/sh", "-c", #"exec 3<&0; "$@" <&3 & echo "$!" >&2; wait"#, "sh"])
      let request = service.ask("generate", scene.headshot(["output": ["count": 4]]))
      try await service.reached("processing", of: request)
      service.signal(SIGKILL)
      _ = try await service.ended()
      let number = try #require(Int32(service.errorText.trimmed))
      try await ServiceProcessTable.end(of: number)
      #expect(try DataDirectoryAudit(path: scene.data).states().map(\.value) == ["cancelled"])
      try scene.expectOrder(processes: 0)
    }
  }
}
