import AtelierProtocol
import Providers

extension Engine {
  /// The providers, with whether each can be asked now.
  public func listProviders() async -> ProvidersList.Result {
    var entries: [ProvidersList.Entry] = []
    for provider in providers.all {
      let profile = provider.profile
      let availability = await provider.availability()
      entries.append(
        ProvidersList.Entry(
          id: provider.id, title: profile.title, available: availability.available, reason: availability.reason,
          needsKey: availability.needsKey, recipes: profile.recipes, models: profile.models,
          cooldownUntil: availability.cooldownUntil, local: profile.isLocal))
    }
    return ProvidersList.Result(providers: entries)
  }

  /// The six headshot styles (REQUIREMENTS 1.2).
  public func listStyles() -> StylesList.Result {
    let able = providers.all.filter { $0.profile.recipes.contains(.headshot) }.map(\.id)
    return StylesList.Result(styles: Style.named.map { StylesList.Entry(style: $0, providers: able) })
  }
}
