import GeminiSimulator
import Glibc
import JSON
import Support
import Testing

extension Faults {
  /// A generation of one service is watched by another one, and something happens to either.
  @Suite("Watched generations")
  struct WatchTests {
    /// Starts a generation that the simulator holds, and watches it from another service.
    private func watched(
      _ cloud: CloudScene, _ members: JSONObject = [:]
    ) async throws -> (worker: ServiceChild, watcher: ServiceChild, started: Int, watch: Int, id: String) {
      let (worker, watcher) = (try cloud.service(), try cloud.service())
      let started = worker.ask("generate", CloudScene.create("a lighthouse [[fault:hold]]", members))
      try await worker.reached("processing", of: started)
      let id = try await worker.generation(of: started)
      let watch = watcher.ask("generation/watch", ["generationId": .string(id)])
      try await watcher.reached("processing", of: watch)
      return (worker, watcher, started, watch, id)
    }

    @Test("watched generations end for the watcher as interrupted when their process is killed")
    func killedWorker() async throws {
      let cloud = try await CloudScene()
      let (worker, watcher, _, watch, _) = try await watched(cloud)
      try await worker.killed()
      let answer = try await watcher.answer(to: watch)
      #expect(answer["result"]?["state"] == "interrupted", "\(answer.text)")
      #expect(answer["result"]?["error"]?["data"]?["kind"] == "interrupted", "\(answer.text)")
      #expect(try await watcher.finished() == .exited(0))
      await cloud.simulator.stop()
    }

    @Test("watched generations go on when the watcher is killed, stops reading or ends its watch")
    func lostWatchers() async throws {
      let cloud = try await CloudScene()
      let (worker, watcher, started, _, id) = try await watched(cloud)
      let params: JSONValue = ["generationId": .string(id)]
      let deaf = try ServiceChild(dataDirectory: cloud.scene.data, isRead: false)
      for _ in 0..<200 { _ = deaf.ask("generation/watch", params) }
      let quitter = try cloud.service()
      let quit = quitter.ask("generation/watch", params)
      try await quitter.reached("processing", of: quit)
      quitter.write(Array("{\"jsonrpc\":\"2.0\",\"method\":\"$/cancelRequest\",\"params\":{\"id\":\(quit)}}\n".utf8))
      let answer = try await quitter.answer(to: quit)
      #expect(answer["error"]?["data"]?["kind"] == "request_cancelled", "\(answer.text)")
      try await watcher.killed()
      try await deaf.killed()
      cloud.simulator.releaseAll()
      let made = try await worker.answer(to: started)
      #expect(made["result"]?["state"] == "succeeded", "\(made.text)")
      let again = try await quitter.call("generation/watch", params)
      #expect(again["result"]?["images"] == made["result"]?["images"], "\(again.text)")
      #expect(try await worker.finished() == .exited(0))
      #expect(try await quitter.finished() == .exited(0))
      await cloud.simulator.stop()
    }
  }
}
