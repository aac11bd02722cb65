import AtelierProtocol
import Foundation
import JSON
import Support
import ServiceFixture
import Testing

@Suite("The command line", .serialized, .timeLimit(.minutes(2)))
struct CommandLineTests {
  private let directory: TemporaryDirectory
  private var data: String { "\(directory.path)/data" }
  private let photo = Fixture.path("portraits/astronaut.png")

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func run(_ arguments: String...) async throws -> Executable.Outcome { try await Executable.run(arguments) }

  private func isJPEG(_ path: String) throws -> Bool {
    try Data(contentsOf: URL(fileURLWithPath: path)).starts(with: [0xFF, 0xD8, 0xFF])
  }

  @Test("the command line tells its version and how it is used", arguments: [
    ["--version"], ["--help"], ["generate", "--help"], ["serve", "--help"], ["history", "--help"],
    ["doctor", "--help"], ["schema", "--help"], ["edit", "--help"], ["hairstyle", "--help"], ["create", "--help"],
    ["places", "--help"], ["prepare", "--help"], ["status", "--help"], ["cancel", "--help"], ["delete", "--help"],
    ["export", "--help"], ["templates", "--help"], ["providers", "--help"], ["help", "generate"],
    ["--data-dir", "x", "--version"],
  ])
  func help(arguments: [String]) async throws {
    let outcome = try await Executable.run(arguments)
    #expect(outcome.status == 0)
    #expect(!outcome.output.isEmpty)
    #expect(outcome.errors.isEmpty)
  }

  @Test("the command line refuses wrong usage with 2 and says what is wrong", arguments: [
    ["--nonsense"], ["generate"], ["generate", "a", "--count", "9"], ["generate", "a", "--count", "2", "-o", "b"],
    ["generate", "a", "--private", "--no-output"], ["generate", "a", "--angle", "7"],
    ["generate", "a", "--background", "beach"],
    ["serve", "--max-in-flight", "0"], ["serve", "--max-message-bytes", "3"], ["serve", "--framing", "xml"],
    ["serve", "--drain-timeout", "-1"], ["history", "--limit", "0"], ["schema", "--format", "xml"],
    ["--log-level", "loud"], ["--data-dir"], ["edit", "a"], ["edit", "a", "--prompt", " "], ["create"],
    ["generate", "a", "--from", "b"], ["generate", "--from", "gen_1:9"], ["generate", "-", "-"],
    ["generate", "a", "b", "-o", "c"], ["generate", "a", "-o", "b", "--directory", "c"],
    ["generate", "a", "--recipe", "places"], ["generate", "a", "--prompt", "b"], ["generate", "a", "-o", "-", "--json"],
    ["hairstyle", "a"], ["hairstyle", "a", "--prompt", "b", "--mode", "multiAngle", "-o", "c"],
    ["places"], ["places", " "], ["places", "a", "--limit", "51"], ["places", "a", "--near", "91,0"],
    ["places", "a", "--near", ""], ["places", "a", "--csv", "--json"], ["places", "a", "--language", "!"],
    ["create", "a", "--account", "*"], ["create", "a", "--account", ""], ["status", "--account", "anna"],
    ["cancel"], ["delete"], ["delete", "--all"], ["delete", "a", "--all", "--account", "b"], ["export"],
    ["delete", "--all", "--account", "*"], ["templates", "a", "--tag", "b"], ["templates", "--limit", "0"],
    ["serve", "--log-format", "xml"], ["history", "--since", "soon"], ["history", "--since", "2026-02-30"],
    ["history", "--recipe", "x"], ["history", "--state", "x"], ["history", "--account", ""], ["history", "--search", ""],
    ["show"], ["show", ""], ["show", "a", "--json", "--preview"], ["status", ""], ["watch", "a", "--account", ""],
    ["cancel", "a", "--account", ""], ["delete", "a", "--account", ""], ["export", "a", "--account", ""],
    ["prepare", "a", "--account", ""], ["mcp", "--account", ""], ["mcp", "config", "nobody"], ["mcp", "config", "--write"],
    ["mcp", "config", "zed", "--wait", "-1"], ["config", "get", "queue..attempts"], ["config", "set", "a"],
    ["config", "check"], ["config", "get"], ["places", "a", "--provider", "nobody"],
    ["--generate-completion-script", "tcsh"], ["help", "nonsense"],
    ["credits", "history", "--account", "anna", "--cursor", "x"],
    ["generate", "a", "-o", "b.gif"], ["generate", "a", "-o", ""],
    ["generate", "a", "-o", "b.png", "--format", "webp"], ["generate", "a", "-o", "b.jpg", "--background", "transparent"],
    ["generate", "a", "--watch"], ["generate", "a", "--recursive"], ["generate", "a", "--skip-existing"],
    ["generate", "a", "--directory", "/tmp", "--watch"], ["generate", "."], ["generate", "https://example.org/a.jpg"],
    ["edit", "a", "--prompt", "b", "--reference", "http://example.org/a.jpg"], ["prepare", "HTTPS://example.org/a.jpg"],
    ["generate", "a", "--no-output", "-o", "b"], ["generate", "a", "--color", "red"], ["generate", "a", "--progress", "bar"],
    ["generate", "a", "--no-progress", "--progress", "json"],
  ])
  func usage(arguments: [String]) async throws {
    let outcome = try await Executable.run(arguments)
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    // What is wrong only with what lies on the disk is said without the usage.
    #expect(["Error: ", "atelier: "].contains(where: outcome.errors.hasPrefix), "\(outcome.errors)")
  }

  @Test("atelier generate prints the picture's path, and progress on standard error")
  func generate() async throws {
    let outcome = try await run("generate", photo, "--no-output", "--data-dir", data)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.lines.count == 1)
    #expect(try isJPEG(try #require(outcome.lines.first)))
    #expect(outcome.errors.contains("Preparing your photo…"))
    #expect(!outcome.errors.contains("Waiting for a free slot"))
    let steps = outcome.errors.split(separator: "\n")
    #expect(Set(steps).count == steps.count, "something was told twice: \(outcome.errors)")
    #expect(outcome.errors.contains("Saving your picture…"))

    let history = try await run("history", "--data-dir", data)
    #expect(history.status == 0)
    #expect(history.output.contains("succeeded"))
    #expect(history.lines.last == "    \(try #require(outcome.lines.first))")
    let json = try await run("history", "--json", "--data-dir", data)
    let page = try JSONValue(parsing: Array(json.output.utf8))
    #expect(page["entries"]?[0]?["images"]?[0]?["path"]?.string == outcome.lines.first)
    #expect(page["totals"]?["generations"] == 1)
  }

  @Test("atelier generate -o replaces the file it is given, and nothing else")
  func output() async throws {
    let target = "\(directory.path)/me.jpg"
    try Data("old".utf8).write(to: URL(fileURLWithPath: target))
    let outcome = try await run("generate", photo, "--background", "casual", "-o", target, "--data-dir", data)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.lines == [target])
    #expect(try isJPEG(target))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["data", "me.jpg"])
  }

  @Test("atelier generate --directory puts every picture there, under new names")
  func outputDirectory() async throws {
    let folder = try directory.makeFolder("pictures")
    let outcome = try await run("generate", photo, "--count", "2", "--directory", folder, "--data-dir", data)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.lines.count == 2)
    for line in outcome.lines {
      #expect(line.hasPrefix(folder + "/"))
      #expect(try isJPEG(line))
    }
  }

  @Test("atelier generate --private leaves no picture in the data directory")
  func isPrivate() async throws {
    let target = "\(directory.path)/me.jpg"
    let outcome = try await run("generate", photo, "--private", "-o", target, "--data-dir", data)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try isJPEG(target))
    #expect(directory.files(below: "data/artifacts").isEmpty)
    #expect(directory.files(below: "data/temporary").isEmpty)
  }

  @Test("atelier generate says in a sentence what is wrong with a photo", arguments: [
    "/nowhere/photo.jpg", Fixture.path("images/other.gif"), Fixture.path("images/plain.jpg"),
  ])
  func badPhoto(path: String) async throws {
    let outcome = try await run("generate", path, "--data-dir", data)
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    let sentence = try #require(outcome.errors.split(separator: "\n").last)
    #expect(sentence.hasPrefix("atelier: "))
    #expect(sentence.hasSuffix("."))
  }

  @Test("a data directory that cannot be used ends with 3", arguments: [["history"], ["generate", "photo"]])
  func unusable(arguments: [String]) async throws {
    let file = "\(directory.path)/file"
    try Data().write(to: URL(fileURLWithPath: file))
    let outcome = try await Executable.run(arguments + ["--data-dir", file])
    #expect(outcome.status == 3)
    #expect(outcome.errors.hasPrefix("atelier: "))
    #expect(outcome.errors.contains(file))
  }

  @Test("history shows times of this machine's zone, and paths from home on")
  func forPeople() async throws {
    _ = try await run("generate", photo, "--no-output", "--data-dir", data)
    let outcome = try await Executable.run(
      ["history", "--data-dir", data], environment: ["HOME": directory.path, "TZ": "XYZ-5:30"])
    let json = try await run("history", "--json", "--data-dir", data)
    let entry = try #require(try JSONValue(parsing: Array(json.output.utf8))["entries"]?[0])
    let formatter = DateFormatter()
    formatter.dateFormat = "yyyy-MM-dd HH:mm"
    formatter.timeZone = TimeZone(secondsFromGMT: 19_800)
    let created = try #require(Timestamp(entry["createdAt"]?.string ?? ""))
    let date = Date(timeIntervalSince1970: TimeInterval(created.milliseconds / 1000))
    let id = try #require(entry["generationId"]?.string)
    let line = "\(formatter.string(from: date))  \(id)  succeeded  headshot auto"
    #expect(outcome.lines.first?.hasPrefix(line) == true)
    #expect(outcome.lines.last?.hasPrefix("    ~/data/artifacts/") == true)
  }

  @Test("doctor finds a whole installation whole, and marks what is not there as a lack")
  func doctor() async throws {
    let outcome = try await run("doctor", "--data-dir", data)
    #expect(outcome.status == 0, "\(outcome.output)")
    let optional = ["provider gemini", "provider openai", "API key gemini", "API key openai"]
    #expect(outcome.lines.filter { $0.hasPrefix("– ") }.count == optional.count)
    for topic in optional { #expect(outcome.lines.contains { $0.hasPrefix("– \(topic): ") }) }
    #expect(outcome.lines.allSatisfy { $0.hasPrefix("✓ ") || $0.hasPrefix("– ") })
    #expect(outcome.lines.contains { $0.hasPrefix("✓ libraries: libvips 8.") && $0.contains(" libheif 1.") })
    let report = try JSONValue(parsing: Array(try await run("doctor", "--json", "--data-dir", data).output.utf8))
    let findings = report["findings"]?.array ?? []
    let topics = findings.compactMap { $0["topic"]?.string }
    #expect(topics.contains("worker") && topics.contains("models") && topics.contains("database"))
    #expect(findings.allSatisfy { $0["ok"] == true })
    #expect(findings.filter { $0["lack"] == true }.compactMap { $0["topic"]?.string } == optional)
  }

  @Test("doctor names a library that the worker lacks, and what to install")
  func missingLibrary() async throws {
    let folder = try directory.makeFolder("bin")
    try ProgramFile.copy(Executable.path, to: "\(folder)/atelier")
    // As the loader says it.
    let loader = "atelier-imaging: error while loading shared libraries: libvips.so.42: cannot open shared object file"
    try ProgramFile.write(
      "#!/bin/sh\necho '\(loader): No such file or directory' >&2\nexit 127\n", at: "\(folder)/atelier-imaging")
    let outcome = try await Executable.run(["doctor", "--data-dir", data], program: "\(folder)/atelier")
    #expect(outcome.status == 1)
    let finding = outcome.lines.first { $0.hasPrefix("✗ worker: ") }
    #expect(finding?.contains("libvips.so.42 is missing") == true, "\(outcome.output)")
    #expect(finding?.hasSuffix("sudo apt-get install libvips42") == true, "\(outcome.output)")
  }

  @Test("doctor finds a broken data directory broken, and ends with 1", arguments: [true, false])
  func brokenDirectory(isFile: Bool) async throws {
    if isFile {
      try Data().write(to: URL(fileURLWithPath: data))
    } else {
      _ = try directory.makeFolder("data")
      try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: "\(data)/atelier.sqlite"))
    }
    let outcome = try await run("doctor", "--data-dir", data)
    #expect(outcome.status == 1)
    #expect(outcome.lines.contains { $0.hasPrefix("✗ data directory: ") })
    #expect(outcome.lines.contains { $0.hasPrefix("✓ worker: ") })
  }

  @Test("doctor finds a lost picture")
  func lostPicture() async throws {
    let made = try await run("generate", photo, "--no-output", "--data-dir", data)
    try FileManager.default.removeItem(atPath: try #require(made.lines.first))
    let outcome = try await run("doctor", "--data-dir", data)
    #expect(outcome.status == 1)
    #expect(outcome.lines.contains { $0.hasPrefix("✗ database: ") })
  }

  @Test("schema prints what protocol/ holds", arguments: [("openrpc", "openrpc.json"), ("json-schema", "schema.json")])
  func schema(format: String, file: String) async throws {
    let outcome = try await run("schema", "--format", format)
    #expect(outcome.status == 0)
    #expect(outcome.output == (try String(contentsOfFile: "\(Fixture.project)/protocol/\(file)", encoding: .utf8)))
  }

  @Test("the command line prints completion scripts that their shells can read", arguments: ["bash", "zsh", "fish"])
  func completion(shell: String) async throws {
    let script = try await run("--generate-completion-script", shell)
    #expect(script.status == 0)
    #expect(script.output.contains("generate"))
    let path = "/bin/\(shell)"
    guard FileManager.default.isExecutableFile(atPath: path) else { return }
    let file = "\(directory.path)/completion"
    try script.output.write(toFile: file, atomically: true, encoding: .utf8)
    let check = try await Executable.run(["-n", file], program: path)
    #expect(check.status == 0, "\(check.errors)")
  }
}
