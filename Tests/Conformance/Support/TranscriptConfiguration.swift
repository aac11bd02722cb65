import Engine
import Foundation
import Providers
import ServiceFixture

@testable import atelier

/// What a transcript wants configured: the file beside it that is called the same and ends in `.config.json`.
struct TranscriptConfiguration {
  /// Nil where the defaults do.
  let path: String?

  /// - Parameter name: the transcript's file.
  init(of name: String) {
    let path = "\(Fixture.project)/protocol/transcripts/\(name.replacing(".jsonl", with: ".config.json"))"
    self.path = FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// The options that make the executable read it.
  var options: [String] { path.map { ["--config", $0] } ?? [] }

  /// The same as the executable makes of it.
  func read() async throws -> EngineConfiguration {
    try await file().engineConfiguration()
  }

  /// How the cloud providers are reached.
  func providers() async throws -> (gemini: CloudSettings, openAI: OpenAISettings) {
    let assembly = try ProviderAssembly(await file())
    return (assembly.gemini, assembly.openAI)
  }

  private func file() async throws -> ConfigurationFile {
    guard let path else { return ConfigurationFile() }
    return try await ConfigurationSource(path: path).file
  }
}
