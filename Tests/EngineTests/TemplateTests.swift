import AtelierProtocol
import Foundation
import GRDB
import JSON
import Synchronization
import Templates
import ServiceFixture
import Testing

@testable import Engine

@Suite("Templates", .timeLimit(.minutes(3)))
struct TemplateTests {
  private let photo = ImageSource.path(Fixture.path("images/plain.jpg"))
  private let picture = ImageSource.path(Fixture.path("images/plain.png"))

  private func request(
    _ template: String, references: [ImageSource]? = nil, prompt: String? = nil, private isPrivate: Bool? = nil
  ) -> Generate {
    Generate(
      recipe: .hairstyle, image: photo, references: references, prompt: prompt, templateId: template,
      output: isPrivate == true ? Generate.Output(inline: true) : nil, cache: .bypass, private: isPrivate)
  }

  /// Writes a file into the operator's folder.
  private func write(_ text: String, _ name: String = "own.json", in fixture: ServiceFixture) throws {
    let folder = "\(fixture.directory.path)/templates"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
  }

  private static let own = """
    {"templates": [
      {"id": "own-bob", "name": "Own bob", "category": "short", "prompt": "A bob of our own.", "reference": "bob.jpg"},
      {"id": "rounded-afro", "name": "Our afro", "category": "curly", "prompt": "Rounder still.", "popularity": 9},
      {"id": "low-chignon", "retired": true}
    ]}
    """

  @Test("templates lend their words to the prompt and are told with the result and in history")
  func words() async throws {
    let provider = ScriptedProvider(isLocal: false)
    let engine = try ServiceFixture().engine([provider])
    let template = try await engine.engine.template(TemplatesGet(templateId: "rounded-afro"))
    let result = try await engine.generations.generate(request("rounded-afro", prompt: "shorter"), for: Caller()).result
    let words = try #require(UserWords("shorter"))
    #expect(provider.requests.map(\.prompt) == [PicturePrompt.hairstyle(words, template: template.prompt).text])
    #expect(result?.templateId == "rounded-afro")
    #expect(try await engine.entry("gen_1")?.templateId == "rounded-afro")
    await engine.leave()
  }

  @Test("templates become more popular when they deliver pictures, and by nothing else")
  func popularity() async throws {
    let fails = Mutex(false)
    let provider = ScriptedProvider(isLocal: false) { _, _ in
      if fails.withLock({ $0 }) { throw AtelierError(.contentBlocked) }
      return try ScriptedProvider.picture()
    }
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([provider])
    func popularity() async throws -> Int {
      try await engine.engine.template(TemplatesGet(templateId: "waist-length-sleek")).popularity
    }
    #expect(try await popularity() == 0)
    for expected in 1...2 {
      _ = try await engine.generations.generate(request("waist-length-sleek"), for: Caller())
      #expect(try await popularity() == expected)
    }
    _ = try await engine.generations.generate(request("waist-length-sleek", private: true), for: Caller())
    fails.withLock { $0 = true }
    var anew = request("waist-length-sleek")
    anew.cache = .bypass
    let failed = await engine.generate(anew).result
    #expect(throws: AtelierError.self) { try failed.get() }
    #expect(try await popularity() == 2)
    let first = try await engine.engine.listTemplates(TemplatesList(limit: 2), for: Caller())
    #expect(first.templates.map(\.id) == ["waist-length-sleek", "platinum-all-over"])
    // Deleting what was made forgets nothing of how often it was wanted.
    _ = try await engine.engine.deleteHistory(HistoryDelete(target: .everything(of: .owner)), for: Caller())
    #expect(try await popularity() == 2)
    let other = try fixture.engine([provider])
    #expect(try await other.engine.template(TemplatesGet(templateId: "waist-length-sleek")).popularity == 2)
    await other.leave()
    await engine.leave()
  }

  @Test("templates are added, replaced and retired by files, seen without a restart")
  func operators() async throws {
    let fixture = try ServiceFixture()
    let provider = ScriptedProvider(isLocal: false)
    let engine = try fixture.engine([provider])
    let before = await engine.engine.templateCount()
    await #expect(throws: AtelierError.self) { try await engine.engine.template(TemplatesGet(templateId: "own-bob")) }
    try write(Self.own, in: fixture)
    // Its picture is not there yet.
    #expect(await engine.engine.templateProblems().map(\.line) == [2])
    #expect(await engine.engine.templateCount() == before)
    let folder = "\(fixture.directory.path)/templates"
    try FileManager.default.copyItem(atPath: Fixture.path("images/plain.jpg"), toPath: "\(folder)/bob.jpg")
    #expect(await engine.engine.templateProblems().isEmpty)
    #expect(await engine.engine.templateCount() == before)
    #expect(try await engine.engine.template(TemplatesGet(templateId: "rounded-afro")).prompt == "Rounder still.")
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(request("low-chignon"), for: Caller())
    }
    #expect(error?.kind == .templateNotFound)
    let listed = try await engine.engine.listTemplates(TemplatesList(limit: 1), for: Caller())
    #expect(listed.templates.first?.id == "rounded-afro" && listed.templates.first?.popularity == 9)
    try FileManager.default.removeItem(atPath: "\(folder)/own.json")
    #expect(try await engine.engine.template(TemplatesGet(templateId: "low-chignon")).category == .updo)
    #expect(provider.requests.isEmpty)
    await engine.leave()
  }

  @Test("templates send their own picture where the request leaves room for it", arguments: [0, 1, 2])
  func picture(references: Int) async throws {
    let fixture = try ServiceFixture()
    let provider = ScriptedProvider(isLocal: false)
    let engine = try fixture.engine([provider])
    try write(Self.own, in: fixture)
    try FileManager.default.copyItem(
      atPath: Fixture.path("images/plain.jpg"), toPath: "\(fixture.directory.path)/templates/bob.jpg")
    let given = Array(repeating: picture, count: references)
    _ = try await engine.generations.generate(request("own-bob", references: given), for: Caller())
    let asked = try #require(provider.requests.first)
    let sent = min(references + 1, 2)
    #expect(asked.references.count == sent)
    #expect(asked.prompt == PicturePrompt.hairstyle(nil, template: "A bob of our own.", references: sent).text)
    await engine.leave()
  }

  @Test("templates with a picture that is none fail with a sentence for the person, not with a path")
  func brokenPicture() async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([ScriptedProvider(isLocal: false)])
    try write(Self.own, in: fixture)
    try write("not a picture", "bob.jpg", in: fixture)
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(request("own-bob"), for: Caller())
    }
    #expect(error?.kind == .invalidImage)
    #expect(error?.message.contains("own-bob") == true && error?.message.contains("/") == false)
    await engine.leave()
  }

  @Test("templates of a faulty file are left out, the rest is served, and the fault is told once in log and list")
  func faults() async throws {
    let fixture = try ServiceFixture()
    let lines = Mutex<[String]>([])
    let shelf = ReloadingTemplates(folder: "\(fixture.directory.path)/templates") { line in
      lines.withLock { $0.append(line) }
    }
    try write(
      #"{"templates": [{"id": "fine", "name": "Fine", "category": "long", "prompt": "Long."}]}"#, "a.json", in: fixture)
    try write("{\"templates\": [\n{\"id\": \"x\",\n\"category\": \"shrt\"}]}", "b.json", in: fixture)
    try write("", "c.json", in: fixture)
    try FileManager.default.createDirectory(
      atPath: "\(fixture.directory.path)/templates/d.json", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(fixture.directory.path)/templates/secret.jpg", withDestinationPath: Fixture.path("images/plain.jpg"))
    try write(
      #"{"templates": [{"id": "e", "name": "E", "category": "long", "prompt": "E.", "thumbnail": "secret.jpg"}]}"#,
      "e.json", in: fixture)
    try write("no JSON, and none of ours", "notes.txt", in: fixture)
    for _ in 0..<2 {
      let contents = await shelf.contents()
      #expect(contents.library["fine"] != nil && contents.library["e"] == nil)
      #expect(contents.problems.map(\.file) == ["b.json", "c.json", "d.json", "e.json"])
      try #require(contents.problems.map(\.line) == [3, nil, nil, 1])
      #expect(contents.problems[0].message.contains("/templates/0/category"))
      #expect(contents.problems[3].message.contains("outside the folder"))
    }
    #expect(lines.withLock { $0 }.count == 4)
    let engine = try fixture.engine([ScriptedProvider()])
    let listed = try await engine.engine.listTemplates(TemplatesList(limit: 1), for: Caller())
    #expect(listed.problems?.count == 4)
    // An account of a host's is told nothing of the operator's files.
    #expect(try await engine.engine.listTemplates(TemplatesList(), for: Caller(confinedTo: "anna")).problems == nil)
    await engine.leave()
  }

  @Test("templates are listed in pages below the line's length, each once while they are used")
  func pages() async throws {
    let fixture = try ServiceFixture()
    let long = String(repeating: "💇🏽 long ", count: 250)
    let entries = (0..<40).map {
      "{\"id\": \"t-\($0)\", \"name\": \"T \($0)\", \"category\": \"long\", \"prompt\": \"\(long)\", \"tags\": [\"paged\"]}"
    }
    try write("{\"templates\": [\(entries.joined(separator: ",\n"))]}", in: fixture)
    let engine = try fixture.engine([ScriptedProvider(isLocal: false)])
    var seen: [String] = []
    var cursor: String?
    repeat {
      try #require(seen.count < 1_000, "the pages do not end")
      let page = try await engine.engine.listTemplates(
        TemplatesList(tag: "paged", limit: 100, cursor: cursor), for: Caller())
      #expect(try JSONValueEncoder().encode(page).serialized().count < 57 * 1024)
      seen += page.templates.map(\.id)
      cursor = page.nextCursor
      // The last one overtakes all others between two pages.
      _ = try await engine.generations.generate(request("t-9"), for: Caller())
    } while cursor != nil
    #expect(seen.count == 40 && Set(seen).count == 40)
    await engine.leave()
  }
}
