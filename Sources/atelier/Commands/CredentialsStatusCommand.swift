import ArgumentParser
import AtelierProtocol
import Credentials

/// `atelier credentials status`: which providers have their key, and from where.
struct CredentialsStatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show which providers have an API key, and from where.",
    discussion: """
        atelier credentials status
        atelier credentials status --json | jq '.providers[] | select(.configured)'
      """)

  @Flag(help: "Print the answer as JSON, as the protocol gives it.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    do {
      let chain = try CredentialsCommand.chain(common.settings)
      let answer = await chain.status(for: .operator)
      if json { return try Console.printJSON(answer) }
      for entry in answer.providers { print("\(entry.provider.rawValue): \(entry.sentence(file: chain.filePath))") }
    } catch {
      throw CommandFailure(error)
    }
  }
}
