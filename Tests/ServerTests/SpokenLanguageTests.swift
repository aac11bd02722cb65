import AtelierProtocol
import Engine
import JSON
import Localization
import Providers
import ServiceFixture
import Testing

@testable import Server

@Suite("The language of a connection", .timeLimit(.minutes(3)))
struct SpokenLanguageTests {
  private static let doing: Sentence = "Your picture is being made…"
  private static let remark: Sentence = "The model returned \(3) pictures; the first one is kept."

  /// Tells of its progress, and of something to know; refuses what nobody may ask.
  private static func provider() -> ScriptedProvider {
    ScriptedProvider { request, progress in
      progress(ImageProgress(phase: .processing, message: doing, fraction: 0.5))
      if request.prompt?.contains("refused") == true {
        throw AtelierError(.contentBlocked, hint: "For whoever runs it.", provider: "scripted")
      }
      var picture = try ScriptedProvider.picture()
      picture.warnings = [Warning(kind: "extra_images", message: remark)]
      return picture
    }
  }

  private static func generate(_ prompt: String) -> JSONValue { ["recipe": "create", "prompt": .string(prompt)] }

  @Test("progress, warnings and errors are told in the language that the host chose", arguments: Language.allCases)
  func told(language: Language) async throws {
    let service = try ServiceFixture().serve([Self.provider()])
    let initialized = try await service.host.call(1, "initialize", ["locale": .string(language.rawValue)])?["result"]
    #expect(initialized?["locale"]?.string == language.rawValue)
    let locales: [JSONValue] = Language.allCases.map { .string($0.rawValue) }
    #expect(initialized?["capabilities"]?["locales"]?.array == locales)

    try service.host.ask(2, "generate", Self.generate("a lighthouse"))
    var progress: Set<String> = []
    while let message = await service.host.next() {
      if let text = message["params"]?["message"]?.string { progress.insert(text) }
      guard message["id"] == 2 else { continue }
      #expect(message["result"]?["warnings"]?[0]?["message"]?.string == Self.remark.text(in: language))
      break
    }
    // Progress that comes in quick succession is told in part.
    let possible: [Sentence] = ["Preparing your request…", Self.doing, "Saving your picture…"]
    #expect(!progress.isEmpty && progress.isSubset(of: possible.map { $0.text(in: language) }), "\(progress)")

    let refused = try await service.host.call(3, "generate", Self.generate("refused"))?["error"]
    #expect(refused?["message"]?.string == ErrorKind.contentBlocked.sentence.text(in: language))
    #expect(refused?["data"]?["details"]?["hint"] == "For whoever runs it.")
    let missing = try await service.host.call(4, "history/get", ["generationId": "gen_none"])?["error"]
    #expect(missing?["message"]?.string == ErrorKind.notFound.sentence.text(in: language))
    // What is wrong with params is for the developer of the host.
    let wrong = try await service.host.call(5, "history", ["limit": 0])?["error"]
    #expect(wrong?["message"]?.string?.hasPrefix("/limit must be") == true)
    service.host.closeInput()
    _ = await service.end()
  }

  @Test("history is read in the language of its reader, not in the one in which it was made")
  func history() async throws {
    let fixture = try ServiceFixture()
    let first = try fixture.serve([Self.provider()])
    _ = try await first.host.call(1, "initialize", ["locale": "ja"])
    _ = try await first.host.call(2, "generate", Self.generate("a lighthouse"))
    _ = try await first.host.call(3, "generate", Self.generate("refused"))
    first.host.closeInput()
    _ = await first.end()
    for (locale, language) in [("de-AT", Language.german), ("fr, hi;q=0.5", .hindi), ("xx", .english)] {
      let later = try fixture.serve([Self.provider()])
      let result = try await later.host.call(1, "initialize", ["locale": .string(locale)])?["result"]
      #expect(result?["locale"]?.string == language.rawValue)
      let entries = try await later.host.call(2, "history")?["result"]?["entries"]
      #expect(entries?[0]?["error"]?["message"]?.string == ErrorKind.contentBlocked.sentence.text(in: language))
      #expect(entries?[1]?["warnings"]?[0]?["message"]?.string == Self.remark.text(in: language))
      later.host.closeInput()
      _ = await later.end()
    }
  }

  @Test("a host that names no language, or none that is known, is told everything in English", arguments: [
    [:], ["locale": nil], ["locale": "fr"], ["locale": ""],
  ] as [JSONObject])
  func english(params: JSONObject) async throws {
    let service = try ServiceFixture().serve([Self.provider()])
    #expect(try await service.host.call(1, "initialize", .object(params))?["result"]?["locale"] == "en")
    let refused = try await service.host.call(2, "generate", Self.generate("refused"))?["error"]
    #expect(refused?["message"]?.string == ErrorKind.contentBlocked.sentence.text)
    service.host.closeInput()
    _ = await service.end()
  }
}
