import ArgumentParser
import AtelierProtocol
import Testing

@testable import CommandArguments
@testable import atelier

/// Every option of every command that takes a value.
@Suite("The values of options")
struct OptionValueTests {
  private static let declarations = KnownOptions.declarations(of: AtelierCommand.self)

  private static func outcome(_ arguments: [String]) -> (command: (any ParsableCommand)?, message: String) {
    do {
      return (try CommandArguments.parse(arguments, as: AtelierCommand.self) { declarations }, "")
    } catch {
      return (nil, AtelierCommand.message(for: error))
    }
  }

  @Test("the values of options may begin with a dash: none is called missing, or an option")
  func dashes() async throws {
    // In turn: what is parsed is the same for each option, and every command line takes its time.
    let values = ["-33.87,151.21", "-1", "-x", "-", "--no-such-option", "-=", "--=x"]
    var count = 0
    for command in try await CommandTree().commands {
      for name in KnownOptions(Self.declarations, in: command).namesWithValue {
        let value = values[(count / 2) % values.count]
        for given in [[name, value], ["\(name)=\(value)"]] {
          let (_, message) = Self.outcome(command + given)
          let words = (command + given).joined(separator: " ")
          for complaint in ["Missing value", "Unknown option", "nexpected argument"] {
            #expect(!message.contains(complaint), "\(words): \(message)")
          }
          count += 1
        }
      }
    }
    #expect(count > 300)
  }

  @Test("the values of options that no provider could take are wrong usage", arguments: [
    ["--size", "-5"], ["--size=-1K"], ["--count", "-1"],
  ])
  func wrongUsage(option: [String]) {
    for command in [["generate", "me.jpg"], ["create", "a boat"], ["edit", "me.jpg", "--prompt", "x"]] {
      let (parsed, message) = Self.outcome(command + option)
      let name = option[0].prefix { $0 != "=" }
      #expect(parsed == nil && message.contains(name), "\(command): \(message)")
    }
  }

  @Test("the values of options are not empty, in either form", arguments: [true, false])
  func empty(isJoined: Bool) async throws {
    for command in try await CommandTree().commands {
      for name in KnownOptions(Self.declarations, in: command).namesWithValue {
        let (parsed, message) = Self.outcome(command + (isJoined ? ["\(name)="] : [name, ""]))
        #expect(parsed == nil, "\((command + [name]).joined(separator: " "))")
        #expect(!message.contains("Missing value"), "\((command + [name]).joined(separator: " ")): \(message)")
      }
    }
  }

  @Test("the values of options are what follows them, unless that is an option too")
  func meaning() throws {
    let south = try #require(Self.outcome(["places", "a", "--near", "-33.87,151.21"]).command as? PlacesCommand)
    #expect(south.near == Coordinate(latitude: -33.87, longitude: 151.21).map(SearchArea.coordinate))
    let dark = Self.outcome(["edit", "a.png", "--prompt", "-20 % light", "-o", "-b.png"])
    let edit = try #require(dark.command as? EditCommand, "\(dark.message)")
    #expect(edit.prompt == "-20 % light" && edit.pictures.output == "-b.png")
    #expect(Self.outcome(["places", "a", "--near", "--json"]).message.contains("Missing value for '--near"))
    #expect(Self.outcome(["places", "a", "--near"]).message.contains("Missing value for '--near"))
    #expect(Self.outcome(["places", "a", "--nera", "b"]).message.contains("Unknown option '--nera'"))
    #expect(Self.outcome(["places", "a", "--account="]).message.contains("account"))
    #expect(Self.outcome(["history", "--data-dir="]).message == "--data-dir must not be empty.")
    #expect(Self.outcome(["places", "--", "--near", "-1,1"]).command == nil)
  }
}
