import Encodings
import Engine
import Foundation
import Imaging
import JSON
import ServiceFixture
import Support
import Testing

@testable import atelier

@Suite("The watermark of the configuration file", .timeLimit(.minutes(2)))
struct WatermarkConfigurationTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func source(_ pictures: JSONValue) throws -> ConfigurationSource {
    try ConfigurationSource(JSONValue.object(["pictures": pictures]).serialized(), path: "atelier.json")
  }

  private func watermark(_ pictures: JSONValue) async throws -> WatermarkFile? {
    try await source(pictures).locatingFaults { try await $0.engineConfiguration() }.watermark
  }

  @Test("the watermark is the file that is named, and there is none by default")
  func named() async throws {
    let path = Fixture.path("images/alpha.png")
    #expect(try await watermark(["watermark": .string(path)])?.bytes == Fixture.bytes("images/alpha.png"))
    try await source(["watermark": .string(path)]).check()
    #expect(try await watermark([:]) == nil)
    try await source([:]).check()
    #expect(EngineConfiguration().watermark == nil)
  }

  @Test("a watermark that cannot be used is refused with the place and the reason", arguments: [
    (["watermark": .string(Fixture.path("images/plain.jpg"))], "must be the path of a PNG, which “"),
    (["watermark": .string(Fixture.path("images/plain.png"))], "must be the path of a PNG with transparency: an opaque"),
    (["watermark": .string(Fixture.path("images/none.png"))], "must be the path of a file: “"),
    (["watermark": .string(Fixture.path("images"))], "must be the path of a file: “"),
    (["watermark": ""], "must be the path of a file: “”"), (["watermark": 5], "must be a string, not 5."),
    (["watermark": "/dev/null"], "must be the path of a file: “/dev/null” is none that can be reached."),
  ] as [(JSONValue, String)])
  func refused(value: JSONValue, sentence: String) async throws {
    let failure = await #expect(throws: ConfigurationFailure.self) { _ = try await watermark(value) }
    let said = failure?.sentence ?? ""
    #expect(said.hasPrefix("atelier.json:1:26: /pictures/watermark \(sentence)"), "\(said)")
  }

  @Test("files of the wrong size, empty, damaged or unreadable ones are refused with what is wrong")
  func files() async throws {
    let whole = try Fixture.bytes("images/alpha.png")
    let large = whole + [UInt8](repeating: 0, count: WatermarkFile.maximumBytes)
    for (bytes, sentence) in [
      (large, "must be the path of a file of at most 1 MB."), ([], "is empty."),
      (Array(whole.dropLast(40)), "is damaged or incomplete."),
      (try Fixture.bytes("images/too-large.png"), "must be the path of a PNG with sides of 16 to 2048 pixels, not of "),
    ] {
      let path = directory.path("mark.png")
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let failure = await #expect(throws: ConfigurationFailure.self) {
        _ = try await watermark(["watermark": .string(path)])
      }
      #expect(failure?.sentence.contains(sentence) == true, "\(failure?.sentence ?? "")")
    }
  }

  @Test("a watermark that only its decoder finds wrong is refused by the commands that check", arguments: [
    ["config", "check"], ["doctor"],
  ])
  func undecodable(command: [String]) async throws {
    let file = directory.path("atelier.json")
    let mark = directory.path("mark.png")
    try Data(Self.undecodable).write(to: URL(fileURLWithPath: mark))
    #expect(try WatermarkFile(Self.undecodable).bytes == Self.undecodable)
    try #"{ "pictures": { "watermark": "\#(mark)" } }"#.write(toFile: file, atomically: true, encoding: .utf8)
    let data = directory.path("data")
    let outcome = try await Executable.run(command + ["--config", file, "--data-dir", data])
    #expect(outcome.status == 1)
    let said = outcome.output + outcome.errors
    let sentence = "must be the path of a PNG that can be read: “\(mark)” is damaged or incomplete."
    #expect(said.contains("\(file):1:30: /pictures/watermark \(sentence)"), "\(said)")
  }

  @Test("no service starts with a watermark that is not there")
  func start() async throws {
    let file = directory.path("atelier.json")
    try #"{ "pictures": { "watermark": "/nowhere.png" } }"#.write(toFile: file, atomically: true, encoding: .utf8)
    let outcome = try await Executable.run(["--config", file, "--data-dir", directory.path("data")])
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    let sentence = "must be the path of a file: “/nowhere.png” is none that can be reached."
    #expect(outcome.errors == "atelier: \(file):1:30: /pictures/watermark \(sentence)\n")
  }

  /// A PNG of 16 × 16 pixels with right checksums, whose pixels are no compressed data.
  private static let undecodable = Base64.decoded(
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAABElEQVQBAgMEfVvD1gAAAABJRU5ErkJggg==") ?? []
}
