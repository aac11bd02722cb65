import ArgumentParser
import AtelierProtocol
import Credentials
import Glibc

/// `atelier credentials`: the API keys of the providers.
struct CredentialsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "credentials",
    abstract: "Store, show and delete the providers' API keys.",
    discussion: """
      A key comes from the environment (GEMINI_API_KEY or GOOGLE_API_KEY, OPENAI_API_KEY), else from the desktop's
      keyring, else from a file in the data directory that only you can read. It is never shown.

        atelier credentials set gemini
        atelier credentials status
        atelier credentials delete gemini
      """,
    subcommands: [CredentialsSetCommand.self, CredentialsStatusCommand.self, CredentialsDeleteCommand.self])

  /// The keys of the data directory that the options name.
  /// - Throws: `CommandFailure` when there is no place for data.
  static func chain(_ settings: CommonSettings) throws -> CredentialChain {
    EngineAssembly.credentials(in: try EngineAssembly.dataDirectory(settings))
  }

  /// - Throws: wrong usage, for a name that is not a provider that takes a key. The error does not repeat the name,
  ///   which may be a key.
  static func provider(named name: String) throws -> ProviderID {
    let id = ProviderID(rawValue: name)
    guard KeyedProvider.named(id) != nil else {
      let known = KeyedProvider.all.map(\.id.rawValue).joined(separator: ", ")
      throw ValidationError("Name the provider whose key is meant: \(known).")
    }
    return id
  }

  /// Prints notes on an answer for a person, separately from the answer.
  static func tell(_ note: String?) {
    if let note { Console.tell(note) }
  }
}

extension CredentialsStatus.Entry {
  /// The provider's status as text.
  /// - Parameter file: the path of the file of keys.
  func sentence(file: String) -> String {
    if let reason { return reason }
    guard let source, let masked else {
      return "None. Set one with: atelier credentials set \(provider.rawValue)"
    }
    let origin = switch source {
    case .environment: "\(masked) from the environment variable \(environmentVariable ?? "")."
    case .secretService: "\(masked) from the desktop's keyring."
    case .file: "\(masked) from \(file)."
    }
    return note.map { "\(origin) \($0)" } ?? origin
  }
}

/// `atelier credentials set PROVIDER`: stores a key that is typed without echo or read from standard input.
struct CredentialsSetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Store a provider's API key.",
    discussion: """
      On a terminal, it asks for the key without showing it. Otherwise, it reads one line:

        atelier credentials set gemini
        atelier credentials set openai < key.txt
      """)

  @Argument(help: "The provider: gemini or openai.", completion: .list(KeyedProvider.all.map(\.id.rawValue)))
  var provider: String

  /// Accepted only to be refused with an explanation.
  @Argument(help: .hidden)
  var surplus: [String] = []

  /// Accepted only to be refused with an explanation.
  @Option(name: .customLong("key"), help: .hidden)
  var keyOption: String?

  @Flag(help: "Print the answer as JSON, in the form of the protocol.")
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

/// `atelier credentials status`: shows which providers have a key, and its source.
struct CredentialsStatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show which providers have an API key, and from where.",
    discussion: """
        atelier credentials status
        atelier credentials status --json | jq '.providers[] | select(.configured)'
      """)

  @Flag(help: "Print the answer as JSON, in the form of the protocol.")
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

/// `atelier credentials delete PROVIDER`: deletes a key from every Atelier store.
struct CredentialsDeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Forget a provider's API key, in the keyring and in the file.",
    discussion: """
        atelier credentials delete gemini
      """)

  @Argument(help: "The provider: gemini or openai.", completion: .list(KeyedProvider.all.map(\.id.rawValue)))
  var provider: String

  @Flag(help: "Print the answer as JSON, in the form of the protocol.")
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
