import AtelierProtocol
import Engine
import Foundation
import JSON
import ServiceFixture
import Testing

@testable import atelier

@Suite("The words of the command line")
struct CommandWordsTests {
  @Test("members, methods and times of the protocol become options, commands and local times", arguments: [
    ("A PNG is as large as its pixels need: leave maxBytes out, or ask for the format jpeg.",
      "A PNG is as large as its pixels need: leave --max-bytes out, or ask for the format jpeg."),
    ("The mode “multiAngle” always makes four pictures: leave count out.",
      "The mode “multiAngle” always makes four pictures: leave --count out."),
    ("The recipe “create” takes no templateId: leave it out.", "The recipe “create” takes no --template: leave it out."),
    ("The recipe “headshot” takes no references: leave it out.",
      "The recipe “headshot” takes no --reference: leave it out."),
    ("The recipe “edit” takes no style: leave it out.",
      "The recipe “edit” takes no --background and --angle: leave it out."),
    ("Only a photo for a passport has a passportSize: ask for it.",
      "Only a photo for a passport has a --passport-size: ask for it."),
    ("A private result is not kept: ask for it with output.inline, or name an output.directory.",
      "A private result is not kept: ask for it with -o, or name a folder with --directory."),
    ("There is no template “x”: choose one from templates/list.",
      "There is no template “x”: choose one from `atelier templates`."),
    ("Watch the generation with generation/watch.", "Watch the generation with `atelier watch`."),
    ("There is no generation “x” in this account. Its history lists those it has.",
      "There is no generation “x”. `atelier history` lists those that are there."),
    ("There is no prepared image “x” in this account.", "There is no prepared image “x”."),
    // What a person named, English, and what no option gives stays as it is.
    ("There is no file “/photos/maxBytes.jpg”.", "There is no file “/photos/maxBytes.jpg”."),
    ("The provider count is 3; whenOffline stays.", "The provider count is 3; whenOffline stays."),
    ("photo maxBytes.jpg and/or size", "photo maxBytes.jpg and/or size"), ("", ""), ("  two  spaces ", "  two  spaces "),
  ])
  func translated(sentence: String, expected: String) {
    #expect(CommandWords.sentence(sentence) == expected)
  }

  @Test("a phrase for hosts that is put into other words is one that the service says", arguments: CommandWords.phrases)
  func phrase(forHosts: String, forPeople: String) throws {
    let sources = URL(fileURLWithPath: Fixture.project).appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    let isSaid = files.contains { file in
      guard let file = file as? URL, file.pathExtension == "swift", file.lastPathComponent != "CommandWords.swift" else {
        return false
      }
      // A long sentence is put together of pieces.
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      return text.replacing(/"\s*\+\s*"/, with: "").contains(forHosts)
    }
    #expect(isSaid, "“\(forHosts)” stands nowhere: bring CommandWords.phrases in step")
  }

  @Test("a time in UTC becomes this machine's")
  func time() {
    let time = Timestamp(milliseconds: 1_000_000_000_000)
    #expect(CommandWords.sentence("The clock says \(time.text), but.") == "The clock says \(time.localText), but.")
  }

  @Test("a fault of a request is said of its option", arguments: [
    ("/output/aspectRatio", "--aspect-ratio must be x."), ("/templateId", "--template must be x."),
    ("/image/path", "The photo must be x."), ("/cursor", "--cursor must be x."), ("", "What is named must be x."),
  ])
  func options(pointer: String, expected: String) {
    #expect(CommandWords.sentence(about: pointer, mustBe: "x") == expected)
  }

  @Test("every refusal of a request that a command can make is free of members", arguments: [
    Generate(recipe: .headshot, image: .path("a"), prompt: "x"),
    Generate(recipe: .create, prompt: "x", style: Style(background: .white)),
    Generate(recipe: .edit, image: .path("a"), prompt: "x", templateId: "y"),
    Generate(recipe: .headshot, image: .path("a"), output: Generate.Output(mode: .multiAngle, count: 2)),
    Generate(recipe: .headshot, image: .path("a"), private: true),
  ])
  func refusals(request: Generate) throws {
    let error = try #require(throws: AtelierError.self) { try request.validate() }
    let sentence = CommandFailure(error).sentence
    #expect(!sentence.contains("output.") && sentence.firstMatch(of: /[ ][a-z]+[A-Z]\w*[ :.,]/) == nil, "\(sentence)")
    #expect(CommandFailure(error).status == 2)
  }
}
