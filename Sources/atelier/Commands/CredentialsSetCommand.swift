import ArgumentParser
import AtelierProtocol
import Credentials

/// `atelier credentials set PROVIDER`: keeps a key that is typed unseen or comes on standard input.
struct CredentialsSetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Keep a provider's API key.",
    discussion: """
      On a terminal it asks for the key and does not show what is typed; else it reads one line:

        atelier credentials set gemini
        atelier credentials set openai < key.txt
      """)

  @Argument(help: "The provider: gemini or openai.", completion: .list(KeyedProvider.all.map(\.id.rawValue)))
  var provider: String

  /// Taken only to be refused with an explanation.
  @Argument(help: .hidden)
  var surplus: [String] = []

  /// Taken only to be refused with an explanation.
  @Option(name: .customLong("key"), help: .hidden)
  var keyOption: String?

  @Flag(help: "Print the answer as JSON, as the protocol gives it.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard surplus.isEmpty, keyOption == nil else {
      throw ValidationError(
        "A key does not belong on the command line, where every process of this machine can read it and the shell "
          + "remembers it. Leave it out and type it when asked, or pipe it in; if it was a real one, replace it.")
    }
    _ = try CredentialsCommand.provider(named: provider)
  }

  func run() async throws {
    do {
      let id = try CredentialsCommand.provider(named: provider)
      let chain = try CredentialsCommand.chain(common.settings)
      let key = try await SecretInput.read(prompt: "API key for \(id.rawValue) (not shown): ")
      let answer = try await chain.set(key, for: id)
      if json { return try Console.printJSON(answer) }
      let place = answer.source == .file ? "\(chain.filePath), which only you can read" : "the desktop's keyring"
      print("The key \(answer.masked) for \(id.rawValue) is kept in \(place).")
      CredentialsCommand.tell(answer.note)
    } catch {
      throw CommandFailure(error)
    }
  }
}
