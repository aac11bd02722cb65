import ArgumentParser
import AtelierProtocol
import Credentials

/// `atelier credentials delete PROVIDER`: forgets a key, wherever Atelier kept it.
struct CredentialsDeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Forget a provider's API key, in the keyring and in the file.",
    discussion: """
        atelier credentials delete gemini
      """)

  @Argument(help: "The provider: gemini or openai.", completion: .list(KeyedProvider.all.map(\.id.rawValue)))
  var provider: String

  @Flag(help: "Print the answer as JSON, as the protocol gives it.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    _ = try CredentialsCommand.provider(named: provider)
  }

  func run() async throws {
    do {
      let id = try CredentialsCommand.provider(named: provider)
      let answer = try await CredentialsCommand.chain(common.settings).delete(id)
      if json { return try Console.printJSON(answer) }
      let name = id.rawValue
      print(answer.deleted ? "The key for \(name) is deleted." : "There was no key for \(name) to delete.")
      CredentialsCommand.tell(answer.note)
    } catch {
      throw CommandFailure(error)
    }
  }
}
