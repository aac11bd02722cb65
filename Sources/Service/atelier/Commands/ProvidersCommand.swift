import ArgumentParser
import AtelierProtocol
import Engine

/// `atelier providers`: who can make pictures, and at what price.
struct ProvidersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "providers",
    abstract: "List the providers: what they make, at what price, and whether they can be used now.",
    discussion: """
        atelier providers
        atelier providers --models
        atelier providers --json | jq -r '.providers[] | select(.available) | .id'
      """)

  @Flag(help: "Ask the providers which models your keys may use.")
  var models = false

  @Flag(help: "Print the answer as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let answer = try await EngineAssembly.withEngine(common.settings) { engine in
      try await engine.listProviders(ProvidersList(fetchModels: models ? true : nil))
    }
    if json { return try Console.printJSON(answer) }
    for provider in answer.providers { show(provider) }
  }

  private func show(_ provider: ProvidersList.Entry) {
    let state = provider.available ? "ready" : provider.needsKey ? "needs a key" : "not available"
    print("\(provider.id.rawValue)  \(provider.title): \(state)")
    for sentence in [provider.reason?.text, provider.hint].compactMap(\.self) { print("    \(sentence)") }
    let recipes = (provider.offers ?? []).map { $0.recipe.rawValue + ($0.isDefault ? " (asked first)" : "") }
    print("    makes: \(recipes.joined(separator: ", "))")
    if provider.local {
      print("    free, on this machine")
    } else if let usd = provider.offers?.first?.usdPerImage {
      print("    about \(Dollars(usd)) for a picture")
    }
    if models {
      print("    models: \(provider.models.joined(separator: ", ").onOneLine)")
      if let error = provider.modelsError { print("    \(CommandWords.sentence(of: error))") }
    }
  }
}
