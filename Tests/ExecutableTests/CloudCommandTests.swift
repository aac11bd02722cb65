import Foundation
import GeminiSimulator
import JSON
import Support
import ServiceFixture
import Testing

@Suite("Commands for pictures from the cloud", .serialized, .timeLimit(.minutes(2)))
struct CloudCommandTests {
  private let directory: TemporaryDirectory
  private let simulator: GeminiSimulator
  private var data: String { "\(directory.path)/data" }
  private let photo = Fixture.path("portraits/astronaut.png")

  init() async throws {
    directory = try TemporaryDirectory()
    var options = SimulatorOptions()
    // Large enough to be refined.
    options.pictureScale = 4
    simulator = try await GeminiSimulator.start(options)
  }

  private func run(_ arguments: String...) async throws -> Executable.Outcome {
    try await Executable.run(
      arguments + ["--data-dir", data],
      environment: [
        "GEMINI_API_KEY": "an-invented-key-0123456789", "GOOGLE_GEMINI_BASE_URL": simulator.baseURL,
        "no_proxy": "127.0.0.1",
      ])
  }

  private func generations(_ outcome: Executable.Outcome) throws -> [JSONValue] {
    try outcome.lines.map { try JSONValue(parsing: Array($0.utf8)) }
  }

  @Test("the cloud commands have short forms that are generate with a recipe", arguments: [
    (["edit", "PHOTO", "--prompt", "a red jacket"], ["generate", "--recipe", "edit", "PHOTO", "-p", "a red jacket"]),
    (["create", "a lighthouse"], ["generate", "--recipe", "create", "--prompt", "a lighthouse"]),
    (["hairstyle", "PHOTO", "--template", "short-boxed-beard", "--reference", "PHOTO"],
      ["generate", "PHOTO", "--recipe", "hairstyle", "--template", "short-boxed-beard", "--reference", "PHOTO"]),
  ])
  func shortForms(short: [String], long: [String]) async throws {
    for arguments in [short, long] {
      let outcome = try await Executable.run(
        arguments.map { $0 == "PHOTO" ? photo : $0 } + ["--no-output", "--json", "--data-dir", data],
        environment: ["GEMINI_API_KEY": "an-invented-key-0123456789", "GOOGLE_GEMINI_BASE_URL": simulator.baseURL])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let generation = try #require(try generations(outcome).first)
      #expect(generation["recipe"]?.string == short[0])
      // Identical requests are answered from history: so both were the same.
      #expect(generation["cached"]?.bool == (arguments == long))
      let notice = short[0] == "create" ? "your words are sent there" : "your photo is sent there"
      #expect(outcome.errors.contains(arguments == long ? "from history, at no cost" : notice), "\(outcome.errors)")
    }
  }

  @Test("the cloud commands write a picture of another format than asked for under its true extension, and say so")
  func trueExtension() async throws {
    let other = try directory.write("l.png", [1, 2, 3])
    let asked = "\(directory.path)/l.jpg"
    let outcome = try await run("create", "a lighthouse", "-o", asked)
    #expect(outcome.status == 0)
    let written = "\(directory.path)/l-2.png"
    #expect(outcome.lines == [written])
    #expect(
      outcome.errors.contains("\(asked) asks for JPEG, but the provider made PNG, which is written as it is: \(written)"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: written)).starts(with: [0x89, 0x50]))
    #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == Data([1, 2, 3]))
    #expect(!FileManager.default.fileExists(atPath: asked))
  }

  @Test("the cloud commands refuse a size that the provider does not make, before anything is sent")
  func size() async throws {
    let outcome = try await run("create", "a lighthouse", "--size", "9K")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("sizes 1K, 2K, 4K"))
    #expect(simulator.requests.isEmpty)
    let made = try await run("create", "a lighthouse", "--size", "2K", "--aspect-ratio", "16:9", "--no-output", "--json")
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test("the cloud commands charge the account, and sum up what several photos cost")
  func account() async throws {
    #expect(try await run("credits", "grant", "--account", "anna", "--amount", "4", "--reason", "x").status == 0)
    let folder = try directory.makeFolder("pictures")
    let outcome = try await run(
      "edit", photo, Fixture.path("portraits/grace_hopper.jpg"), "--prompt", "red", "--account", "anna",
      "--directory", folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let summary = try #require(outcome.errors.split(separator: "\n").last)
    #expect(summary.wholeMatch(of: /atelier: 2 of 2 made\. Cost: about \$\d+\.\d{3}, 2 credits\./) != nil, "\(summary)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
        "astronaut-edit.png", "grace_hopper-edit.png",
      ])
    let poor = try await run("create", "a", "--account", "anna", "--count", "4")
    #expect(poor.status == 1)
    #expect(poor.errors.contains("credits"))
  }

  @Test("the cloud commands refine an earlier picture, and show all sides of a head")
  func refine() async throws {
    let face = try await run("create", "a face", "--count", "2", "--no-output", "--json")
    let first = try #require(try generations(face).first)
    let id = try #require(first["generationId"]?.string)
    let darker = try await run("edit", "--from", "\(id):1", "-p", "darker", "--no-output", "--json")
    let second = try #require(try generations(darker).first)
    #expect(second["parentGenerationId"]?.string == id)
    let folder = try directory.makeFolder("pictures")
    let outcome = try await run(
      "hairstyle", "--from", id, "--prompt", "a bob", "--mode", "multiAngle", "--directory", folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.lines.count == 4)
    for side in ["front", "left", "right", "back"] {
      #expect(outcome.lines.contains { $0.hasSuffix("-hairstyle-\(side).png") })
    }
  }

  @Test("the cloud commands end with 1 when only some of the pictures could be made, and say why")
  func partial() async throws {
    simulator.enqueue(try ScenarioStep(json: "ok"), try ScenarioStep(json: "finish:IMAGE_SAFETY"))
    let outcome = try await run("create", "a lighthouse", "--count", "2", "--no-output", "--json")
    #expect(outcome.status == 1)
    #expect(try generations(outcome).first?["state"] == "partial")
    #expect(outcome.errors.contains("could not be made: The provider's safety rules refused"))
    #expect(outcome.errors.hasSuffix("atelier: 1 of 2 pictures were made.\n"))
  }

  @Test("the cloud commands are found and cancelled by other commands while they run")
  func cancel() async throws {
    simulator.always(try ScenarioStep(json: "hold"))
    async let created = run("create", "a lighthouse")
    try await simulator.waitForRequest(1)
    let status = try await run("status")
    let line = try #require(status.lines.first { $0.contains("create a lighthouse") })
    let id = try #require(line.firstMatch(of: /gen_[0-9a-z]{26}/)?.output)
    #expect(line.contains("  running  "))
    let cancelled = try await run("cancel", String(id))
    #expect(cancelled.status == 0)
    #expect(cancelled.output.contains("  cancelled  create a lighthouse"))
    let outcome = try await created
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasSuffix("atelier: Cancelled.\n"))
    #expect(try await run("cancel", String(id), "--json").output.contains("\"state\":\"cancelled\""))
  }
}
