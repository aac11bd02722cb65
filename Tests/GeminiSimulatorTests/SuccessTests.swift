import GeminiSimulator
import Testing

@Suite("A good request")
struct SuccessTests {
  @Test("a good request gets a picture that names the request it answers")
  func marker() async throws {
    let simulator = try await GeminiSimulator.start()
    let connection = try RawConnection(port: simulator.port)
    for (number, prompt) in ["a lighthouse", "灯台 🗼", "a lighthouse"].enumerated() {
      let response = try await connection.exchange(.generate(prompt: prompt))
      #expect(response.status == 200)
      let part = try #require(response.json["candidates"]?[0]?["content"]?["parts"]?[1])
      let picture = try #require(Decoded.base64(part["inlineData"]?["data"]?.string ?? ""))
      #expect(PictureMarker(in: picture) == PictureMarker(prompt: prompt, request: number + 1))
    }
    #expect(simulator.requests.map(\.facts?.prompt) == ["a lighthouse", "灯台 🗼", "a lighthouse"])
    #expect(simulator.connections.map(\.requests) == [3])
    await simulator.stop()
  }
}
