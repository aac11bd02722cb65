import Foundation
import GeminiSimulator
import Support
import Testing

extension Faults {
  /// Many generations at once. How fast they are is measured by the benchmarks.
  @Suite("Many pictures from the cloud at once")
  struct CloudLoadTests {
    @Test("pictures from the cloud come back each to its own request, while others are cancelled")
    func ownAnswers() async throws {
      let cloud = try await CloudScene()
      let service = try cloud.service()
      let count = isProofRun ? 1000 : 200
      // The simulator holds each until all are there.
      let asked = (0..<count).map { number in
        service.ask("generate", CloudScene.create("picture number \(number), no other [[fault:hold]]"))
      }
      for number in 1...count { try await cloud.simulator.waitForRequest(number) }
      for request in asked[..<(count / 2)] {
        service.write(Array(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(request)}}"#.utf8) + [10])
      }
      for request in asked[..<(count / 2)] {
        #expect(try await service.answer(to: request)["result"]?["state"] == "cancelled")
      }
      cloud.simulator.releaseAll()
      let prompts = Dictionary(
        uniqueKeysWithValues: cloud.simulator.requests.map { ($0.id, $0.facts?.prompt ?? "") })
      for (number, request) in asked.enumerated().dropFirst(count / 2) {
        let answer = try await service.answer(to: request)
        let path = try #require(answer["result"]?["images"]?[0]?["path"]?.string, "\(answer.text)")
        let picture = try Data(contentsOf: URL(fileURLWithPath: path))
        let marker = try #require(PictureMarker(in: picture))
        #expect(prompts[marker.request]?.contains("picture number \(number), no other") == true, "request \(number)")
      }
      #expect(try await service.finished() == .exited(0))
      #expect(cloud.simulator.requests.count == count)
      try cloud.scene.expectOrder(processes: 0)
      await cloud.simulator.stop()
    }
  }
}
