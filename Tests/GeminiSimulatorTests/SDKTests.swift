import GeminiSimulator
import Testing

@Suite("The official SDKs")
struct SDKTests {
  @Test("Google's works with the simulator", .timeLimit(.minutes(5)))
  func google() async throws {
    let folder = try await PythonPackage.fetch("google-genai", "3.4.0")
    let simulator = try await GeminiSimulator.start()
    let script = try await PythonPackage.run("check_google_genai.py", [simulator.baseURL], with: folder)
    #expect(script.status == 0, "\(script.output)\(script.errors)")
    #expect(script.output.hasPrefix("ok "))
    #expect(simulator.requests.contains { $0.header("x-goog-api-client")?.contains("google-genai-sdk") == true })
    await simulator.stop()
  }

  @Test("OpenAI's works with the simulator", .timeLimit(.minutes(5)))
  func openAI() async throws {
    let folder = try await PythonPackage.fetch("openai", "3.52.0")
    let simulator = try await GeminiSimulator.start()
    let script = try await PythonPackage.run("check_openai.py", ["\(simulator.baseURL)/v1"], with: folder)
    #expect(script.status == 0, "\(script.output)\(script.errors)")
    #expect(script.output.hasPrefix("ok "))
    await simulator.stop()
  }
}
