import Foundation
import GeminiSimulator
import JSON
import Support
import Testing

extension Faults {
  /// The real executable against the simulator: what each failure of a provider becomes for a host, and that nothing of
  /// the key is ever seen.
  @Suite("What goes wrong in the cloud")
  struct CloudErrorTests {
    @Test("a fault in the cloud reaches the host as a code, a kind and a sentence to act on", arguments: [
      CloudError.statuses, CloudError.answers, CloudError.transport,
    ])
    func told(rows: [CloudError]) async throws {
      let cloud = try await CloudScene()
      let config = try cloud.scene.folder.write(
        "config.json",
        Array(#"{"recipes":{"create":{"retries":0}},"providers":{"gemini":{"stallTimeoutMs":300}}}"#.utf8))
      for (number, row) in rows.enumerated() {
        // Each on a data directory of its own: a pause that one earned is not the next one's.
        let service = try cloud.service(["--config", config], data: "data-\(number)")
        let answer = try await service.call("generate", CloudScene.create("a lighthouse [[fault:\(row.fault)]]"))
        try expect(answer, is: row)
        #expect(try await service.finished() == .exited(0), "\(row)")
        #expect(service.output.value.strayLines.isEmpty, "\(row)")
      }
      await cloud.simulator.stop()
    }

    private func expect(_ answer: JSONValue, is row: CloudError) throws {
      let error = try #require(answer["error"], "\(row): \(answer.text)")
      #expect(error["code"]?.int64 == Int64(row.code), "\(row): \(answer.text)")
      #expect(error["data"]?["kind"]?.string == row.kind, "\(row): \(answer.text)")
      #expect(error["data"]?["retryable"]?.bool == row.retryable, "\(row): \(answer.text)")
      #expect(error["data"]?["provider"]?.string == "gemini", "\(row): \(answer.text)")
      #expect(error["data"]?["generationId"]?.string != nil, "\(row)")
      #expect(error["data"]?["retryAfterMs"]?.int64 == row.retryAfterMs.map(Int64.init), "\(row): \(answer.text)")
      if let reason = row.reason {
        #expect(error["data"]?["details"]?["reason"]?.string == reason, "\(row): \(answer.text)")
      }
      let secrets = [CloudScene.key, String(CloudScene.key.suffix(8)), "key=", "/models/", "127.0.0.1", "iVBORw0"]
      let faults = Sentence.faults(in: error["message"]?.string ?? "", secrets: secrets)
      #expect(faults.isEmpty, "\(row): \(faults) in \(answer.text)")
      for secret in secrets { #expect(!answer.text.contains(secret), "\(row) shows \(secret): \(answer.text)") }
    }
  }
}
