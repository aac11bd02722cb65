import Engine
import Foundation
import Providers
import Server
import ServiceFixture

@testable import atelier

/// What a transcript wants configured: the files beside it that are called the same and end in `.config.json`, for the
/// configuration, and in `.options`, for the options of the service.
struct TranscriptConfiguration {
  /// Nil where the defaults do.
  let path: String?
  private let words: [String]

  /// - Parameter name: the transcript's file.
  init(of name: String) {
    let path = "\(Fixture.project)/protocol/transcripts/\(name.replacing(".jsonl", with: ".config.json"))"
    self.path = FileManager.default.fileExists(atPath: path) ? path : nil
    let options = try? String(contentsOfFile: path.replacing(".config.json", with: ".options"), encoding: .utf8)
    words = (options ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// The options of the executable.
  var options: [String] { (path.map { ["--config", $0] } ?? []) + words }

  /// What the options let the host do.
  func rights() throws -> ConnectionRights { try ServeOptions.parse(words).settings.rights }

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
