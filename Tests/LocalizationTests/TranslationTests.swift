import Foundation
import JSON
import Localization
import Testing

/// Which sentences of the source have to be translated: those that somebody in front of a screen can meet.
enum TranslatedSources {
  static let root = (0..<3).reduce(#filePath) { path, _ in (path as NSString).deletingLastPathComponent }

  private static let folders = [
    "Sources/Protocol/AtelierProtocol", "Sources/Service/Engine", "Sources/Service/Identities", "Sources/Service/Providers",
    "Sources/Service/Receipts", "Sources/Service/Server", "Sources/Service/Store", "Sources/Worker",
  ]

  /// Files and folders whose sentences are for somebody else, or are no messages.
  private static let exceptions: KeyValuePairs<String, String> = [
    "AtelierProtocol/Messages/StylesList.swift": "descriptions of the styles, for developers",
    "AtelierProtocol/Values/PurchaseProof.swift": "invalid params are told to developers",
    "AtelierProtocol/Messages/SecretText.swift": "invalid params are told to developers",
    "Engine/Finishing/EndWriter.swift": "the log",
    "Engine/History/Engine+History.swift": "invalid params are told to developers",
    "Engine/Lookup/Engine+ImageRead.swift": "invalid params are told to developers, but one",
    "Engine/Metrics/": "descriptions of metrics",
    "Engine/Places/PlacesPrompt.swift": "what the model is told",
    "Engine/Prompts/": "what the model is told",
    "Imaging/Networks/": "commands of the operator, and the log",
    "Providers/Geocoding/": "seen by nobody: a lookup that failed is a warning",
    "Receipts/Apple/": "configuration, for the operator",
    "Receipts/Google/": "configuration, for the operator",
    "Server/": "the log, and what developers are told",
    "atelier-imaging/NetworksJob+Perform.swift": "commands of the operator, and the log",
    "Store/Backup/": "commands of the operator",
    "Store/Moving/": "commands of the operator",
    "Store/Clock/": "for the operator",
    "Store/Directory/": "for the operator",
    "Store/Engines/": "for the operator",
    "Store/Files/ArtifactFolder.swift": "for the operator",
    "Store/Files/Bucket/": "for the operator",
    "Store/Files/FolderFiles.swift": "for the operator",
    "Store/Health/": "for the operator",
    "Store/Ledger/LedgerAudit.swift": "for the operator",
    "Store/Processes/": "for the operator",
    "Store/SQL/": "statements",
    "Store/Schema/": "statements",
    "Store/Store.swift": "for the operator",
    "Store/Tables/": "statements",
    "atelier-imaging/AtelierImaging.swift": "for the operator",
    "atelier-imaging/Confinement.swift": "for the operator",
    "atelier-imaging/JobServer.swift": "for the operator",
  ]

  /// Sentences that only the developer of a host can cause, by what the request combines, or that nobody ever reads.
  private static let forDevelopers: Set<String> = [
    "A generation can only end in a final state, not as {1}.", "A generation that is {1} cannot end as {2}.",
    "A PNG is as large as its pixels need: leave maxBytes out, or ask for the format jpeg or webp.",
    "A PNG keeps every pixel as it is, so it has no quality: leave it out, or ask for the format webp.",
    "A private result is not kept: ask for it with output.inline, or name an output.directory.",
    "An aspectRatio is written as 1:1 or 3:2.", "Gemini takes a temperature from 0 to 2.",
    "Only {1} of these {2} credits can be revoked. Revoke at most {3}.",
    "Only a JPEG can be filled up: leave minBytes out, or ask for the format jpeg.",
    "Only a headshot has a crop: leave it out, or use the recipe “headshot”.",
    "Only a headshot has a matte: leave it out, or use the recipe “headshot”.",
    "Only a hairstyle can be shown from several angles: use the mode “single”.",
    "Only a photo for a passport has a headHeight: ask for the crop “passport” with it.",
    "Only a photo for a passport has a passportSize: ask for the crop “passport” with it.",
    "Only a request that may wait takes a waitMs: ask for whenOffline “queue” with it.",
    "The account “owner” has no credits. Name the account that is to lose them.",
    "The account “owner” has no tier and no limits. Name the account to change.",
    "The account “owner” is the machine's own; nobody signs in to it. Name another account.",
    "The account “owner” is the machine's own and cannot be deleted. Delete its history with history/delete.",
    "The account “owner” is the machine's own and needs no consent. Name another account.",
    "The account “owner” is the machine's own; nobody is signed in to it.",
    "The account “owner” needs no credits. Name the account that bought them.",
    "The account “owner” needs no credits. Name the account that is to get them.",
    "The configuration disables this provider.",
    "The crop “{1}” has a shape of its own: leave aspectRatio out.", "The face detector has other outputs than expected.",
    "The face landmark network has other outputs than expected.", "The headshot was cancelled.",
    "The mode “multiAngle” always makes four pictures: leave count out.",
    "The model “{1}” makes pictures of 1024x1024, 1536x1024 and 1024x1536: choose one of these, or another model.",
    "The name of a Gemini model has letters, digits, dots and dashes, as in {1}.",
    "The picture's data does not fit its dimensions.",
    "The recipe “create” starts from words alone: use “edit” to change a picture.",
    "The recipe “places” takes no picture: leave image out.", "The recipe “{1}” takes no {2}: leave it out.",
    "The segmentation network has another output than expected.",
    "The sides of a picture of this provider must be multiples of 16.",
    "The size and the aspectRatio contradict each other: leave one of them out.",
    "The temperature of a headshot is fixed: leave it out.", "There is no such function. The only one is search_location.",
    "The lookup does not answer.", "This device has one model, “{1}”. Leave `model` out.",
    "This device makes the aspect ratios {1}, with {2} to {3} pixels on the longest side. "
      + "Choose an aspectRatio and a size of these.",
    "This provider makes pictures from 1:3 to 3:1: choose another aspectRatio.",
    "This provider makes pictures from 1:3 to 3:1: choose another size.",
    "This size is out of the provider's range: at most {1} pixels a side and 3840x2160 in all, at least 1024x640.",
    "This size is out of the provider's range: at most {1} pixels a side and 3840x2160 in all.",
    "Too many calls in one turn. Call again for this one.", "search_location takes two texts, name and location.",
    "With the size “auto” the shape is the model's choice: leave aspectRatio out.",
    "{1} must be {2}.",
  ]

  private typealias File = (path: String, literals: [SourceLiterals.Literal])

  private static func files(in folders: [String]) -> [File] {
    folders.flatMap { folder -> [File] in
      let paths = FileManager.default.enumerator(atPath: "\(root)/\(folder)")?.compactMap { $0 as? String } ?? []
      return paths.filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
        let path = "\(folder)/\(path)"
        guard let text = try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8) else { return nil }
        return (path, SourceLiterals(text).found)
      }
    }
  }

  private static let files = files(in: folders)

  /// Every literal of these modules, of the credentials, and of what joins sentences.
  static let all: Set<String> = Set(
    (files + files(in: ["Sources/Service/Credentials", "Sources/Base/Localization"])).flatMap {
      $0.literals.map(\.template)
    })

  /// The sentences that need a translation, with the place of each.
  static let needed: [(template: String, place: String)] = files.flatMap { file in
    isExcepted(file.path)
      ? []
      : file.literals.filter(isForPeople).map { ($0.template, "\(file.path):\($0.line)") }
  }

  private static func isExcepted(_ path: String) -> Bool {
    exceptions.contains { isExceptedBy($0.key, path) }
  }

  /// Whether it reads like a sentence, and neither its label nor the type around it says that it is for somebody else.
  private static func isForPeople(_ literal: SourceLiterals.Literal) -> Bool {
    literal.template.contains(" ") && (literal.template.hasSuffix(".") || literal.template.hasSuffix("…"))
      && !["hint", "expected", "detail"].contains(literal.label) && !literal.type.hasPrefix("String")
      && !literal.type.hasPrefix("[String") && !forDevelopers.contains(literal.template)
  }

  /// The exceptions that nothing needs any more.
  static let unneeded: [String] =
    forDevelopers.filter { !all.contains($0) }.sorted()
    + exceptions.map(\.key).filter { key in !files.contains { isExceptedBy(key, $0.path) } }

  private static func isExceptedBy(_ key: String, _ path: String) -> Bool {
    key.hasSuffix("/") ? path.contains("/\(key)") : path.hasSuffix("/\(key)")
  }
}

@Suite("The translations")
struct TranslationTests {
  private static let languages = Language.allCases.filter { $0 != .english }

  @Test("every sentence that somebody in front of a screen can meet has a translation", arguments: languages)
  func complete(language: Language) {
    let missing = TranslatedSources.needed.filter { language.translations[$0.template] == nil }
    #expect(TranslatedSources.needed.count > 200)
    for sentence in missing {
      Issue.record("\(sentence.place): “\(sentence.template)” has no translation, and is no hint and not for developers")
    }
  }

  @Test("no translation is of a sentence that is no longer there", arguments: languages)
  func current(language: Language) {
    for template in language.translations.keys.sorted() where !TranslatedSources.all.contains(template) {
      Issue.record("no source has “\(template)”")
    }
  }

  @Test("all languages have the same sentences", arguments: languages)
  func same(language: Language) {
    #expect(Set(language.translations.keys) == Set(Language.german.translations.keys))
  }

  @Test("a translation has the placeholders of its template, each as often", arguments: languages)
  func placeholders(language: Language) {
    for (template, translation) in language.translations {
      #expect(
        Placeholder.numbers(in: translation).sorted() == Placeholder.numbers(in: template).sorted(), "\(translation)")
    }
  }

  @Test("a translation is written in its own script and ends like its template", arguments: languages)
  func form(language: Language) {
    let scripts: [Language: ClosedRange<UInt32>] = [
      .japanese: 0x3040...0x30ff, .chinese: 0x4e00...0x9fff, .hindi: 0x900...0x97f,
    ]
    for (template, translation) in language.translations where template.hasSuffix(".") && template.contains(" ") {
      #expect([".", "。", "।"].contains { translation.hasSuffix($0) }, "\(translation)")
      #expect(translation != template)
      if let script = scripts[language], !template.hasPrefix("{1}. {2}") {
        #expect(translation.unicodeScalars.contains { script.contains($0.value) }, "\(translation)")
      }
    }
  }

  @Test("an embedded language is what its file says", arguments: languages)
  func embedded(language: Language) throws {
    let name = language.rawValue.prefix { $0 != "-" }
    let path = "\(TranslatedSources.root)/Sources/Base/CEmbedded/languages/\(name).json"
    let file = try JSONValue(parsing: Array(try Data(contentsOf: URL(filePath: path))))
    let members = try #require(file.object)
    #expect(
      Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value.string) }) == language.translations,
      "touch Sources/Base/CEmbedded/embedded.S and build again: what is embedded is not the file")
  }

  @Test("the lists of exceptions have nothing that is no longer there")
  func exceptions() {
    #expect(TranslatedSources.unneeded == [])
  }

  @Test("the reader of sources finds sentences, joins those that are one, and passes over hints and texts of a String")
  func reader() {
    let source = #"""
      // "a comment."
      let a: Sentence = "One \(b("in it.")) is "
        + "two."
      throw E(.k, "It is \(x).", hint: "Do that.")
      e.hint = "Or this."
      """#
    let found = SourceLiterals(source).found
    #expect(found.map(\.template) == ["in it.", "One {1} is two.", "It is {1}.", "Do that.", "Or this."])
    #expect(found.map(\.label) == ["", "", "", "hint", "hint"])
    #expect(found.first { $0.template.hasPrefix("One") }?.type == "Sentence")
  }
}
