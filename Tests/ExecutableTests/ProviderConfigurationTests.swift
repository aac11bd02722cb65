import AtelierProtocol
import Engine
import Foundation
import Support
import ServiceFixture
import Testing

@testable import atelier

@Suite("The providers of the configuration file", .timeLimit(.minutes(2)))
struct ProviderConfigurationTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func file(_ text: String) throws -> String {
    let path = "\(directory.path)/config.json"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test("the configured providers have the order and the switches that it gives")
  func read() async throws {
    let path = try file(
      """
      {"providers": {"order": ["gemini", "ondevice"], "openai": {"enabled": false}, "gemini": {"enabled": true}},
       "recipes": {"headshot": {"providers": ["ondevice"], "retries": 1}}}
      """)
    let configuration = try await ConfigurationSource(path: path).file
    let disabled = try #require(try configuration.providers?.disabled())
    #expect(disabled == [.openai])
    #expect(
      try configuration.providerOrder(disabled: disabled)
        == ProviderOrder(overall: [.gemini, .ondevice], byRecipe: [.headshot: [.ondevice]]))
  }

  @Test("the configured providers are refused with the place of what is wrong", arguments: [
    ("{\"providers\": {\"order\": []}}", "providers/order"),
    ("{\"providers\": {\"order\": [\"gemini\", \"gemini\"]}}", "providers/order"),
    ("{\"providers\": {\"order\": [\"gemmini\"]}}", "providers/order"),
    ("{\"recipes\": {\"edit\": {\"providers\": [\"nobody\"]}}}", "recipes/edit/providers"),
    ("{\"providers\": {\"order\": [\"openai\"], \"openai\": {\"enabled\": false}}}", "openai, which is disabled"),
    (#"{"providers": {"ondevice": {"enabled": false}, "gemini": {"enabled": false}, "openai": {"enabled": false}}}"#,
      "at least one enabled"),
    ("{\"providers\": {\"ondevice\": {\"enabled\": \"no\"}}}", "/providers/ondevice/enabled"),
  ])
  func wrong(text: String, place: String) async throws {
    let outcome = try await Executable.run(["doctor", "--config", try file(text), "--data-dir", "\(directory.path)/data"])
    #expect(outcome.status == 1)
    #expect((outcome.output + outcome.errors).contains(place), "\(outcome.output) \(outcome.errors)")
  }

  /// Keys that no server knows, and servers that nobody reaches.
  private static let rubbish = [
    "GEMINI_API_KEY": "rubbish-key-0123456789", "OPENAI_API_KEY": "rubbish-key-0123456789",
    "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:9", "OPENAI_BASE_URL": "http://127.0.0.1:9",
  ]

  private func generate(_ arguments: [String]) async throws -> Executable.Outcome {
    try await Executable.run(
      ["generate", Fixture.path("portraits/astronaut.png"), "--no-output", "--data-dir", "\(directory.path)/data"]
        + arguments,
      environment: Self.rubbish)
  }

  @Test("the configured providers are not asked by generate for what this machine makes, whatever keys there are")
  func local() async throws {
    let outcome = try await generate([])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("atelier: On this device: nothing leaves this machine.\n"))
  }

  @Test("the configured providers are named by generate with their price before anything is sent", arguments: [
    (["--provider", "gemini"], "your photo is sent there. A picture there costs about $0.034."),
    (["--provider", "gemini", "--count", "2"], "your photo is sent there. 2 pictures there cost about $0.067."),
  ])
  func cloud(arguments: [String], sentence: String) async throws {
    let outcome = try await generate(arguments)
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("atelier: Google Gemini, served on this machine: \(sentence)\n"), "\(outcome.errors)")
  }

  @Test("the providers of the cloud are named when this machine cannot turn the head, and not asked")
  func turned() async throws {
    let outcome = try await generate(["--angle", "left"])
    #expect(outcome.status == 1)
    let advice = "Or choose another provider, to which the photo is then sent: “gemini”, “openai”"
    #expect(outcome.errors.contains(advice), "\(outcome.errors)")
  }
}
