import Foundation
import JSON
import ServiceFixture
import Support
import Testing

@testable import atelier

@Suite("Help and shell completion", .timeLimit(.minutes(2)))
struct HelpTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test("the help of every command fits into the terminal, but for its examples", arguments: [50, 80, 120])
  func width(columns: Int) async throws {
    for command in try await CommandTree().all {
      let outcome = try await Executable.run(command + ["--help"], environment: ["COLUMNS": "\(columns)"])
      #expect(outcome.output.hasPrefix("OVERVIEW: "))
      for line in outcome.lines where line.count > columns {
        // A word may be longer than a narrow window.
        let isExample = line.hasPrefix("  ") && line.contains(/atelier|prepared=|curl|echo|printf/)
        #expect(isExample || !line.drop { $0 == " " }.contains(" "), "\(command), \(columns): \(line)")
      }
    }
  }

  @Test("a paragraph of help is folded once, an example as a shell reads it, and a table keeps its columns", arguments: [
    (44, """
      OVERVIEW: Do it.

      One sentence that goes on in another line,
      and another.

        atelier do it --with \\
            "something that is long"

      USAGE: atelier do <what> [--with <with>]
             [--without <without>]

      OPTIONS:
        --with <with>
              With what it is done, in words.
        -h, --help
              Show help.
      """),
    (60, """
      OVERVIEW: Do it.

      One sentence that goes on in another line, and another.

        atelier do it --with "something that is long"

      USAGE: atelier do <what> [--with <with>]
             [--without <without>]

      OPTIONS:
        --with <with>           With what it is done, in words.
        -h, --help              Show help.
      """),
  ])
  func folded(columns: Int, expected: String) {
    let text = """
      OVERVIEW: Do it.

      One sentence that goes on
      in another line, and another.

        atelier do it --with "something that is long"

      USAGE: atelier do <what> [--with <with>] [--without <without>]

      OPTIONS:
        --with <with>           With what it is done, in words.
        -h, --help              Show help.
      """
    #expect(HelpText.folded(text, columns: columns) == expected)
  }

  /// What bash offers for a line that is being typed.
  private func offered(_ line: String, data: String) async throws -> [String] {
    let script = try await Executable.run(["--generate-completion-script", "bash"])
    let file = try directory.write("completion.bash", Array(script.output.utf8))
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let program = """
      PATH="\((Executable.path as NSString).deletingLastPathComponent):$PATH"
      . '\(file)'
      COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1); COMP_LINE='\(line)'; COMP_POINT=\(line.utf8.count)
      function=$(complete -p atelier | sed -E 's/.*-F ([^ ]+).*/\\1/')
      "$function" atelier '\(words.last ?? "")' '\(words.dropLast().last ?? "")'
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let outcome = try await Executable.run(
      ["-c", program], program: "/bin/bash", environment: ["ATELIER_DATA_DIR": data])
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    return outcome.lines.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test("bash completes the values of options", arguments: [
    ("atelier generate photo.jpg --background tr", ["transparent"]),
    ("atelier generate photo.jpg --recipe he", ["headshot"]),
    ("atelier edit photo.jpg --provider g", ["gemini"]), ("atelier history --state fa", ["failed"]),
    ("atelier hairstyle photo.jpg --template short-box", ["short-boxed-beard"]), ("atelier mcp config wi", ["windsurf"]),
    ("atelier create x --size 2", ["2K", "2048"]), ("atelier show la", ["last"]), ("atelier help gen", ["generate"]),
    ("atelier conf", ["config"]),
  ])
  func completed(line: String, expected: [String]) async throws {
    let data = directory.path("data")
    #expect(try await offered(line, data: data).sorted() == expected.sorted())
    #expect(!FileManager.default.fileExists(atPath: data), "completion made a data directory")
  }

  @Test("bash completes the newest generations")
  func generations() async throws {
    let data = directory.path("data")
    let made = try await Executable.run(
      ["generate", Fixture.path("portraits/astronaut.png"), "--no-output", "--json", "--data-dir", data, "--size", "256"])
    let id = try #require(try JSONValue(parsing: Array(made.output.utf8))["generationId"]?.string)
    #expect(try await offered("atelier show gen_", data: data) == [id])
    #expect(try await offered("atelier edit --from ", data: data) == [NewestGeneration.word, id])
  }
}
