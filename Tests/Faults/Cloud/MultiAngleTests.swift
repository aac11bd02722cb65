import GeminiSimulator
import JSON
import Support
import Testing

extension Faults {
  /// Four views by a provider that fails of one.
  @Suite("Four views, of which one fails")
  struct MultiAngleTests {
    @Test(
      "four views, of which one fails, are three pictures, three credits and one that comes back, and a sentence why",
      arguments: [
        (ScenarioStep(.finish(.imageSafety)), "content_blocked"),
        (ScenarioStep(.error(.internalError)), "provider_error"),
      ])
    func three(step: ScenarioStep, kind: String) async throws {
      var options = SimulatorOptions()
      options.scenario = [.success, step]
      let cloud = try await CloudScene(options)
      let service = try cloud.service()
      _ = try await service.call(
        "account/signIn", ["account": "anna", "identity": ["provider": "apple", "subject": "001234.5a6b7c.0890"]])
      let params: JSONValue = [
        "recipe": "hairstyle", "image": cloud.scene.image, "prompt": "a bob with highlights", "provider": "gemini",
        "account": "anna", "output": ["mode": "multiAngle", "directory": .string(cloud.scene.output)],
      ]
      let estimate = try await service.call("credits/estimate", params)
      #expect(estimate["result"]?["cost"] == 4 && estimate["result"]?["allowed"] == true, "\(estimate.text)")
      let answer = try await service.call("generate", params)
      let result = try #require(answer["result"], "\(answer.text)")
      #expect(result["state"] == "partial")
      let views = result["images"]?.array?.compactMap { $0["view"]?.string } ?? []
      let failures = result["failures"]?.array ?? []
      #expect(views.count == 3 && failures.count == 1)
      #expect(Set(views + failures.compactMap { $0["view"]?.string }) == ["front", "left", "right", "back"])
      #expect(failures.first?["error"]?["data"]?["kind"]?.string == kind)
      #expect(failures.first?["error"]?["message"]?.string?.hasSuffix(".") == true)
      let credits = result["credits"]
      #expect(credits?["held"] == 4 && credits?["charged"] == 3 && credits?["released"] == 1, "\(result.text)")
      for (view, image) in zip(views, result["images"]?.array ?? []) {
        #expect(image["path"]?.string?.hasSuffix("-\(view).png") == true)
      }
      #expect(cloud.simulator.requests.count == 4)
      let history = try await service.call("credits/history", ["account": "anna"])
      #expect(history["result"]?["totalUsed"] == 3, "\(history.text)")
      #expect(try await service.finished() == .exited(0))
      try cloud.scene.expectOrder(processes: 0)
      await cloud.simulator.stop()
    }
  }
}

