import AtelierProtocol
import Foundation
import JSON
import ServiceFixture
import Support
import Testing

@testable import atelier

@Suite("atelier history and show", .serialized, .timeLimit(.minutes(3)))
struct HistoryCommandTests {
  private let directory: TemporaryDirectory
  private var data: String { directory.path("data") }
  private let photo = Fixture.path("portraits/astronaut.png")

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ arguments: String...) async throws -> Executable.Outcome {
    try await Executable.run(arguments + ["--data-dir", data])
  }

  /// A headshot whose request has this metadata, as the commands that make pictures write it.
  private func make(_ metadata: JSONObject, account: String = "owner", background: String = "white") async throws -> String {
    let service = try ServiceProcess(["--data-dir", data])
    let params: JSONValue = [
      "recipe": "headshot", "image": ["path": .string(photo)], "account": .string(account),
      "style": ["background": .string(background)], "metadata": .object(metadata), "output": ["size": "256"],
    ]
    let answer = try await service.host.call(1, "generate", params)
    _ = await service.finish()
    return try #require(answer?["result"]?["generationId"]?.string)
  }

  @Test("history names the photo, and the file that was written as long as it is there")
  func names() async throws {
    let target = try directory.write("anna-headshot.jpg", [1])
    let id = try await make(["source": "anna.jpg", "target": .string(target)])
    let there = try await run("history")
    #expect(there.lines.first?.contains("  \(id)  succeeded  headshot white  anna.jpg") == true)
    #expect(there.lines.last == "    \(target)")
    try FileManager.default.removeItem(atPath: target)
    #expect(try await run("history").lines.last?.hasPrefix("    \(data)/artifacts/") == true)
  }

  @Test("history tells an empty history from one in which nothing matches")
  func empty() async throws {
    for filter in [[], ["--search", "x"], ["--since", "2h"]] {
      let outcome = try await Executable.run(["history"] + filter + ["--data-dir", data])
      #expect(outcome.lines == ["Nothing was made yet. Try: atelier generate photo.jpg"])
    }
    _ = try await make(["source": "Anna.jpg"])
    for filter in [["--search", "bert"], ["--since", "2999-01-01"], ["--recipe", "edit"], ["--state", "failed"]] {
      let outcome = try await Executable.run(["history"] + filter + ["--data-dir", data])
      #expect(outcome.lines == ["No entry matches."], "\(filter)")
    }
    for filter in [["--search", "anna"], ["--since", "2h"], ["--recipe", "headshot", "--state", "succeeded"]] {
      #expect(try await Executable.run(["history"] + filter + ["--data-dir", data]).lines.count == 2, "\(filter)")
    }
  }

  @Test("a cursor that history did not give is wrong usage, named as the option")
  func cursor() async throws {
    let outcome = try await run("history", "--cursor", "rubbish")
    #expect(outcome.status == 2)
    #expect(outcome.errors == "atelier: --cursor must be the nextCursor of an earlier page.\n")
  }

  @Test("atelier takes last for the newest generation of the account, for every command that takes an id")
  func last() async throws {
    let none = try await run("show", "last")
    #expect(none.status == 1 && none.errors == "atelier: Nothing was made yet, so there is no last generation.\n")
    let first = try await make([:])
    let second = try await make([:], background: "casual")
    let annas = try await make([:], account: "anna")
    #expect(try await run("show", "last").output.contains(second))
    #expect(try await run("show", "last", "--account", "anna").output.contains(annas))
    #expect(try await run("status", "last").output.contains("  \(second)  "))
    #expect(try await run("watch", "last").status == 0)
    #expect(try await run("cancel", "last").errors.contains("has already ended"))
    let refused = try await run("generate", "--from", "last:2", "--background", "#123456")
    #expect(refused.errors.contains("“\(second)” has no picture 2"), "\(refused.errors)")
    #expect(try await run("delete", "last", "last").status == 0)
    #expect(try await run("status", first).status == 1)
    #expect(try await run("show", "last").errors.contains("Nothing was made yet"))
  }

  @Test("atelier show prints everything about a generation, and the picture's size and path")
  func show() async throws {
    let id = try await make(["source": "anna.jpg"])
    let outcome = try await run("show", id)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.lines.first == "Generation: \(id)")
    for line in ["State:      succeeded", "Recipe:     headshot white", "Photo:      anna.jpg", "Options:    --size 256",
      "Provider:   ondevice", "Cost:       nothing"] {
      #expect(outcome.lines.contains { $0.hasPrefix(line) }, "\(line) is not in:\n\(outcome.output)")
    }
    let picture = /\nPicture: \d+ × 256 JPEG, 0\.\d MB\n    \/.*\.jpg\n$/
    #expect(outcome.output.firstMatch(of: picture) != nil, "\(outcome.output)")
    let json = try await run("show", id, "--json")
    #expect(try JSONValue(parsing: Array(json.output.utf8))["generationId"]?.string == id)
    let unknown = try await run("show", "gen_nothing")
    #expect(unknown.status == 1)
    #expect(
      unknown.errors
        == "atelier: This could not be found: it may have been deleted. There is no generation “gen_nothing”. "
        + "`atelier history` lists those that are there.\n")
  }

  @Test("atelier show opens the pictures with xdg-open where there is a desktop")
  func open() async throws {
    let id = try await make([:])
    let without = try await run("show", id, "--open")
    #expect(without.status == 1 && without.errors.contains("There is no desktop here"))
    let (programs, opened) = (try directory.makeFolder("bin"), directory.path("opened"))
    let viewer = try directory.write("bin/xdg-open", Array("#!/bin/sh\nprintf '%s' \"$1\" > '\(opened)'\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: viewer)
    let outcome = try await Executable.run(
      ["show", id, "--open", "--data-dir", data], environment: ["DISPLAY": ":9", "PATH": "\(programs):/usr/bin:/bin"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try String(contentsOfFile: opened, encoding: .utf8).hasSuffix(".jpg"))
  }

  @Test("atelier show sends the picture to a terminal that shows pictures, and nothing to one that does not", arguments: [
    ("xterm-kitty", "\u{1B}_Ga=T,f=100,m="), ("xterm", nil), ("dumb", nil),
  ] as [(String, String?)])
  func preview(term: String, beginning: String?) async throws {
    let id = try await make([:])
    let conversation = TerminalConversation(
      command: [Executable.path, "show", id, "--data-dir", data],
      environment: Executable.environment.merging(["TERM": term]) { $1 },
      // Of a picture, everything is read: what a terminal holds back would stop the command.
      prompt: beginning == nil ? "Picture: " : "\u{1B}_Gm=0;", deed: .type(""))
    let outcome = try await conversation.run()
    #expect(outcome.status == 0)
    #expect(outcome.screen.contains("\u{1B}") == (beginning != nil))
    if let beginning { #expect(outcome.screen.contains(beginning)) }
  }

  @Test("the way to show pictures follows from what the terminal says of itself", arguments: [
    (["TERM": "xterm-kitty"], nil, TerminalPictures.kitty), (["TERM": "xterm", "KITTY_WINDOW_ID": "1"], nil, .kitty),
    (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], "/bin/chafa", .iTerm), (["LC_TERMINAL": "iTerm2"], nil, .iTerm),
    (["TERM": "xterm"], "/bin/chafa", .chafa("/bin/chafa")), (["TERM": "xterm"], nil, nil),
    (["TERM": "dumb", "KITTY_WINDOW_ID": "1"], "/bin/chafa", nil),
    (["TERM": "screen", "KITTY_WINDOW_ID": "1"], "/bin/chafa", .chafa("/bin/chafa")),
    (["TERM": "xterm-kitty", "TMUX": "/tmp/x"], nil, nil),
  ] as [([String: String], String?, TerminalPictures?)])
  func terminals(environment: [String: String], chafa: String?, expected: TerminalPictures?) {
    #expect(TerminalPictures(environment: { environment[$0] }, chafa: chafa) == expected)
  }

  @Test("a picture for kitty comes in pieces of 4096 bytes, of which the last says so")
  func pieces() throws {
    let sequence = TerminalPictures.kitty.sequence(showing: [UInt8](repeating: 7, count: 7_000))
    let pieces = sequence.split(separator: "\u{1B}\\")
    #expect(pieces.count == 3)
    #expect(pieces.map { $0.contains("m=1;") } == [true, true, false])
    #expect(pieces.allSatisfy { $0.utf8.count <= 4096 + 24 })
  }

  @Test("atelier delete --all asks at a terminal how many are deleted, and a script is not asked", arguments: [
    ("n\n", [], 1, 2), ("\u{4}", [], 1, 2), ("yes\n", [], 0, 0), ("", ["--yes"], 0, 0),
  ])
  func confirmation(typed: String, options: [String], status: Int32, left: Int64) async throws {
    for background in ["white", "casual"] { _ = try await make([:], account: "anna", background: background) }
    let conversation = TerminalConversation(
      command: [Executable.path, "delete", "--all", "--account", "anna", "--data-dir", data] + options,
      environment: Executable.environment,
      prompt: options.isEmpty ? "Delete all 2 generations of anna with their pictures for ever? [y/N] " : "2 deleted",
      deed: .type(typed))
    let outcome = try await conversation.run()
    #expect(outcome.status == status)
    #expect(outcome.screen.contains("Nothing was done.") == (status == 1))
    let history = try await run("history", "--account", "anna", "--json")
    #expect(try JSONValue(parsing: Array(history.output.utf8))["totals"]?["generations"]?.int64 == left)
  }

  @Test("a past time is read as a person writes it", arguments: [
    ("90m", 1_000_000_000_000 - 5_400_000), ("2h", 1_000_000_000_000 - 7_200_000), ("3d", 1_000_000_000_000 - 259_200_000),
    ("1w", 1_000_000_000_000 - 604_800_000), ("2001-09-09T01:46:40Z", 1_000_000_000_000), ("999999w", -62_167_219_200_000),
    ("2h ", nil), ("h", nil), ("-2h", nil), ("2y", nil), ("2026-02-30", nil), ("2026-11-21 25:00", nil), ("", nil),
    ("2026-11-21x", nil),
  ] as [(String, Int64?)])
  func pastTimes(text: String, milliseconds: Int64?) {
    let time = PastTime(argument: text)?.timestamp(at: Timestamp(milliseconds: 1_000_000_000_000))
    #expect(time?.milliseconds == milliseconds)
  }

  @Test("a day begins at midnight of this machine's time zone")
  func localDay() throws {
    let time = try #require(PastTime(argument: "2026-11-21")).timestamp(at: Timestamp(milliseconds: 0))
    #expect(time.localText == "2026-11-21 00:00")
    let minute = try #require(PastTime(argument: "2026-11-21T17:26")).timestamp(at: Timestamp(milliseconds: 0))
    #expect(minute.localText == "2026-11-21 17:26")
  }
}
