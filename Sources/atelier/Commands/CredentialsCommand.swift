import ArgumentParser
import AtelierProtocol
import Credentials
import JSONRPC

/// `atelier credentials`: the API keys of the providers.
struct CredentialsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "credentials",
    abstract: "Keep, show and forget the API keys of providers.",
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

  /// - Throws: wrong usage, for what is not the name of a provider that takes a key. It is not repeated, for it may be a
  ///   key.
  static func provider(named name: String) throws -> ProviderID {
    let id = ProviderID(rawValue: name)
    guard KeyedProvider.named(id) != nil else {
      let known = KeyedProvider.all.map(\.id.rawValue).joined(separator: ", ")
      throw ValidationError("Name the provider whose key is meant: \(known).")
    }
    return id
  }

  /// Tells what a person should know about an answer, beside it.
  static func tell(_ note: String?) {
    if let note { Console.error("atelier: \(note)\n") }
  }
}

extension CredentialsStatus.Entry {
  /// How the provider stands, for people.
  /// - Parameter file: where the file of keys is.
  func sentence(file: String) -> String {
    if let reason { return reason }
    guard let source, let masked else {
      return "None. Set one with: atelier credentials set \(provider.rawValue)"
    }
    return switch source {
    case .environment: "\(masked) from the environment variable \(environmentVariable ?? "")."
    case .secretService: "\(masked) from the desktop's keyring."
    case .file: "\(masked) from \(file)."
    }
  }
}
