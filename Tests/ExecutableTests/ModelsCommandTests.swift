import CurlHTTP
import Foundation
import GeminiSimulator
import Imaging
import JSON
import ServiceFixture
import Support
import Testing

@testable import atelier

@Suite("Networks of the operator from the command line", .timeLimit(.minutes(3)))
struct ModelsCommandTests {
  private let directory: TemporaryDirectory
  private let builtIn = "\(Fixture.project)/Sources/Base/CEmbedded/models/selfie_segmentation.tflite"
  private static let digest = "9ee168ec7c8f2a16c56fe8e1cfbc514974cbbb7e434051b455635f1bd1462f5c"

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ arguments: [String]) async throws -> Executable.Outcome {
    try await Executable.run(arguments + ["--data-dir", directory.path("data")])
  }

  private func add(_ name: String, _ arguments: String...) async throws -> Executable.Outcome {
    try await run(["models", "add", name, "--licence", "Apache-2.0", "--json"] + arguments)
  }

  private func json(_ outcome: Executable.Outcome) throws -> JSONValue {
    try JSONValue(parsing: Array(outcome.output.utf8))
  }

  @Test("a network is added, listed, named by the doctor, and removed")
  func life() async throws {
    let added = try await add("selfie", "--file", builtIn, "--sha256", Self.digest.uppercased())
    #expect(added.status == 0, "\(added.errors)")
    let entry = try json(added)
    #expect(entry["inputSide"] == 256 && entry["role"] == "vote" && entry["values"] == "0..1")
    #expect(entry["sha256"] == .string(Self.digest) && entry["source"] == .string(builtIn))
    #expect(try json(await run(["models", "list", "--json"])) == .array([entry]))
    let list = try await run(["models", "list"])
    #expect(list.lines.first == "selfie" && list.output.contains("256 × 256 pixels"), "\(list.output)")
    let doctor = try await run(["doctor"])
    #expect(doctor.status == 0 && doctor.output.contains("✓ model selfie: A vote"), "\(doctor.output)")
    let removed = try await run(["models", "remove", "selfie"])
    #expect(removed.output == "“selfie” is removed.\n")
    #expect(try await run(["models", "remove", "selfie"]).output == "There is no model “selfie”.\n")
    #expect(directory.files(below: "data/models") == ["lock"])
    #expect(try await !run(["doctor"]).output.contains("selfie"))
  }

  @Test("a picture that was made without a network does not answer the same request with it, and answers it after it")
  func cached() async throws {
    func made(_ name: String) async throws -> Data {
      let outcome = try await run(["generate", Fixture.path("portraits/grace_hopper.jpg"), "-o", directory.path(name)])
      #expect(outcome.status == 0 && !outcome.errors.contains("not used"), "\(outcome.errors)")
      return try Data(contentsOf: URL(fileURLWithPath: directory.path(name)))
    }
    let before = try await made("a.jpg")
    let model = try directory.write("model", PersonModel.of(constant: 0.2))
    #expect(try await add("low", "--file", model).status == 0)
    #expect(try await made("b.jpg") != before)
    #expect(try await run(["models", "remove", "low"]).status == 0)
    #expect(try await made("c.jpg") == before)
  }

  @Test("a network that cannot be used is refused with the kind of the reason, and nothing is kept")
  func refused() async throws {
    func file(_ name: String, _ bytes: [UInt8]) throws -> String { try directory.write(name, bytes) }
    let good = try file("good", PersonModel.of(constant: 0.5))
    let tooLarge = try file("large", [])
    truncate(tooLarge, off_t(NetworkCatalogue.maximumBytes + 1))
    let rows: [([String], NetworkRefusal.Kind)] = [
      (["--file", try file("text", Array("no model at all".utf8))], .notTFLite),
      (["--file", try file("other", PersonModel.withUnknownOperator)], .unsupportedOperator),
      (["--file", try file("numbers", PersonModel.ofNumbers)], .wrongShape),
      (["--file", good, "--output", "classes"], .wrongShape),
      (["--file", try file("wild", PersonModel.of(constant: -3))], .wrongValues),
      (["--file", tooLarge], .tooLarge), (["--file", directory.path("nowhere")], .fileUnusable),
      (["--file", directory.path], .fileUnusable),
      (["--file", good, "--sha256", Self.digest], .checksumDiffers),
    ]
    for (arguments, kind) in rows {
      let outcome = try await run(["models", "add", "a", "--licence", "x", "--json"] + arguments)
      #expect(outcome.status == 1, "\(arguments)")
      #expect(try json(outcome)["kind"] == .string(kind.rawValue), "\(arguments): \(outcome.output)")
      #expect(outcome.errors.hasPrefix("atelier: "), "\(outcome.errors)")
    }
    #expect(directory.files(below: "data/models").isEmpty)
    #expect(try await add("a", "--file", good, "--values", "-1..1").status == 0)
    #expect(try json(await add("a", "--file", good))["kind"] == "name_taken")
    #expect(try await add("a", "--file", good, "--role", "matte", "--replace").status == 0)
    #expect(try json(await add("b", "--file", good, "--role", "matte"))["kind"] == "matte_taken")
  }

  @Test("wrong usage is told before anything is read or fetched", arguments: [
    (["A", "--file", "x"], "lowercase letters"), (["a"], "either a file"),
    (["a", "--file", "x", "--url", "y"], "either a file"),
    (["a", "--url", "https://example.org/a"], "--sha256"), (["a", "--file", "x", "--sha256", "12"], "64 hexadecimal"),
    (["a", "--file", "x", "--source", ""], "--source"),
  ])
  func usage(arguments: [String], said: String) async throws {
    let outcome = try await run(["models", "add", "--licence", "x"] + arguments)
    #expect(outcome.status == 2 && outcome.errors.contains(said), "\(outcome.errors)")
    #expect(try await run(["models", "add", "a", "--file", builtIn]).status == 2, "without a licence")
  }

  @Test("a model is fetched from the address that was named, and from no other machine without TLS")
  func fetched() async throws {
    let simulator = try await GeminiSimulator.start(SimulatorOptions())
    let digest = String(repeating: "0", count: 64)
    for (address, kind) in [
      ("\(simulator.baseURL)/_simulator/connections", "checksum_differs"), ("\(simulator.baseURL)/nothing", "not_fetched"),
      ("http://192.0.2.1/a.tflite", "not_fetched"), ("ftp://example.org/a", "not_fetched"),
    ] {
      let outcome = try await add("a", "--url", address, "--sha256", digest)
      #expect(outcome.status == 1)
      #expect(try json(outcome)["kind"] == .string(kind), "\(address): \(outcome.output)")
    }
  }

  /// Answers with what was written down, and keeps the addresses.
  private struct ScriptedHTTP: HTTPPerforming {
    var answers: [String: HTTPResponse]
    let asked = SharedState<[String]>([])

    func perform(
      _ request: HTTPRequest, takesPieces: Bool, event: @escaping @Sendable (HTTPTransferEvent) -> Void
    ) async throws -> HTTPResponse {
      asked.change { $0.append(request.url) }
      guard let answer = answers[request.url] else {
        throw HTTPError(.tooLarge, mayHaveBeenSent: true, detail: "none")
      }
      return answer
    }
  }

  private func redirect(_ location: String) -> HTTPResponse {
    HTTPResponse(status: 302, headers: [HTTPHeader("Location", location)], body: [])
  }

  @Test("a download follows redirects over HTTPS, a few of them, and takes no other answer for the model")
  func redirects() async throws {
    let found = HTTPResponse(status: 200, headers: [], body: [1, 2])
    let http = ScriptedHTTP(answers: [
      "https://a.example/m": redirect("https://b.example/x?y"), "https://b.example/x?y": redirect("/z"),
      "https://b.example/z": found, "https://a.example/loop": redirect("https://a.example/loop"),
      "https://a.example/plain": redirect("http://127.0.0.1/m"), "https://a.example/odd": redirect("//b.example/z"),
      "https://a.example/gone": HTTPResponse(status: 404, headers: [], body: [1]),
    ])
    #expect(try await ModelDownload(http: http).bytes(at: "https://a.example/m") == [1, 2])
    for (name, kind) in [
      ("loop", .notFetched), ("plain", .notFetched), ("odd", .notFetched), ("gone", .notFetched), ("large", .tooLarge),
    ] as [(String, NetworkRefusal.Kind)] {
      let refusal = await #expect(throws: NetworkRefusal.self, "\(name)") {
        try await ModelDownload(http: http).bytes(at: "https://a.example/\(name)")
      }
      #expect(refusal?.kind == kind, "\(name)")
    }
    #expect(!http.asked.value.contains { $0.contains("127.0.0.1") } && http.asked.value.count < 20)
  }

  @Test("the document on headshots tells each kind of refusal, and no other")
  func documented() throws {
    let document = try String(contentsOfFile: "\(Fixture.project)/docs/headshots.md", encoding: .utf8)
    let table = try #require(document.split(separator: "| `kind` | What is wrong |").last)
    let rows = table.split(separator: "\n\n")[0].split(separator: "\n").dropFirst()
    let kinds = rows.flatMap { $0.split(separator: "|")[0].matches(of: /`([a-z_]+)`/).map { String($0.1) } }
    #expect(kinds.sorted() == NetworkRefusal.Kind.allCases.map(\.rawValue).sorted())
  }

  @Test("a name that two commands add at the same time is given to one")
  func race() async throws {
    let outcomes = try await withThrowingTaskGroup(of: Executable.Outcome.self) { group in
      for _ in 0..<2 { group.addTask { try await add("a", "--file", builtIn) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.map(\.status).sorted() == [0, 1], "\(outcomes)")
    #expect(try outcomes.filter { $0.status == 1 }.map { try json($0)["kind"] } == ["name_taken"])
    #expect(directory.files(below: "data/models").count == 3)
  }
}
