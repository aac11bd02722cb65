import ArgumentParser
import Testing

@testable import CommandArguments
@testable import atelier_web

@Suite("The values of the web host's options")
struct OptionValueTests {
  @Test("the values of the web host's options may begin with a dash, and are not empty", arguments: ["serve", "check"])
  func values(command: String) throws {
    let names = KnownOptions(KnownOptions.declarations(of: AtelierWebCommand.self), in: [command]).namesWithValue
    #expect(names.contains("--config"))
    for name in names {
      for given in [[name, "-1"], [name, "-x"], ["\(name)=-x"], [name, ""], ["\(name)="]] {
        for arguments in [[command] + given, command == "serve" ? given : [command] + given] {
          do {
            _ = try CommandArguments.parse(arguments, as: AtelierWebCommand.self)
            #expect(given.last?.hasSuffix("=") == false && given.last != "", "\(arguments)")
          } catch {
            let message = AtelierWebCommand.message(for: error)
            #expect(!message.contains("Missing value") && !message.contains("Unknown option"), "\(arguments): \(message)")
          }
        }
      }
    }
  }
}
