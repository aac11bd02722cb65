import AtelierProtocol
import Providers

extension Engine {
  /// The providers, with whether each can be asked now.
  public func listProviders(_ request: ProvidersList) async throws -> ProvidersList.Result {
    let fetches = request.fetchModels ?? false
    let entries = try await withThrowingTaskGroup(of: (Int, ProvidersList.Entry).self) { group in
      for (position, provider) in providers.all.enumerated() {
        group.addTask { (position, try await entry(of: provider, fetchingModels: fetches)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    return ProvidersList.Result(providers: entries.sorted { $0.0 < $1.0 }.map(\.1))
  }

  private func entry(
    of provider: any ImageProvider, fetchingModels: Bool
  ) async throws -> ProvidersList.Entry {
    let profile = provider.profile
    let status = await monitor.status(of: provider)
    var entry = ProvidersList.Entry(
      id: provider.id, title: profile.title, available: status.available, reason: status.reason,
      needsKey: status.needsKey, recipes: profile.recipes, models: profile.models,
      cooldownUntil: status.cooldownUntil, pausedModels: status.pausedModels, local: profile.isLocal)
    guard fetchingModels, status.available else { return entry }
    do {
      entry.models = try await provider.fetchModels()
    } catch let error as AtelierError {
      entry.modelsError = error.body(at: surroundings.now())
    }
    return entry
  }

  /// The six headshot styles (REQUIREMENTS 1.2).
  public func listStyles() -> StylesList.Result {
    let able = providers.all.filter { $0.profile.recipes.contains(.headshot) }.map(\.id)
    return StylesList.Result(styles: Style.named.map { StylesList.Entry(style: $0, providers: able) })
  }
}
