import AtelierProtocol
import Localization
import Providers

/// The available providers, and which of them make the pictures of a request that names none.
public struct ProviderRegistry: Sendable {
  /// In the order in which they are tried when neither the host nor the operator has set one.
  public let all: [any ImageProvider]
  /// The providers that the operator has disabled.
  private let disabled: Set<ProviderID>
  private let order: ProviderOrder

  public init(_ all: [any ImageProvider], disabled: Set<ProviderID> = [], order: ProviderOrder = ProviderOrder()) {
    self.all = all
    self.disabled = disabled
    self.order = order
  }

  /// The ids, in order.
  public var ids: [ProviderID] { all.map(\.id) }

  /// - Throws: `unsupported_by_provider` for an unknown or disabled id, with the ids to choose from.
  public func provider(_ id: ProviderID) throws(AtelierError) -> any ImageProvider {
    if let provider = all.first(where: { $0.id == id }) { return provider }
    let known = ids.map(\.rawValue).joined(separator: ", ")
    throw AtelierError(
      .unsupportedByProvider, "There is no provider “\(id.rawValue)” here. Choose one of: \(known).",
      hint: disabled.contains(id) ? "The configuration disables this provider." : nil, provider: id)
  }

  /// The providers to ask if all are ready: those the host lists, in its order; without a list, those of the operator's
  /// order that can make the recipe; without an order, one provider, which is on this machine whenever one there can
  /// make the recipe.
  ///
  /// Without a list or an order, a photo is never sent away because a provider on this machine cannot do what is asked.
  func candidates(
    for recipe: Recipe, wanted: ProviderChoice?
  ) async throws(AtelierError) -> [any ImageProvider] {
    if let wanted { return try wanted.ids.map { id throws(AtelierError) in try provider(id) } }
    let able = all.filter { $0.profile.recipes.contains(recipe) }
    if able.isEmpty { throw Self.unsupported(recipe, by: all) }
    guard let order = order.providers(for: recipe) else { return [await standard(among: able)].compactMap(\.self) }
    let chosen = order.compactMap { id in able.first { $0.id == id } }
    if chosen.isEmpty { throw Self.onlyByName(recipe, able) }
    return chosen
  }

  /// The candidates that come after `first`, without those that are not here.
  func fallbacks(after first: ProviderID, for recipe: Recipe, wanted: ProviderChoice?) -> [any ImageProvider] {
    let ids = wanted?.ids ?? order.providers(for: recipe) ?? []
    return ids.drop { $0 != first }.dropFirst().compactMap { try? provider($0) }
  }

  /// The first on this machine, else the first that has its key.
  private func standard(among able: [any ImageProvider]) async -> (any ImageProvider)? {
    if let local = able.first(where: { $0.profile.isLocal }) { return local }
    for provider in able where await !provider.availability().needsKey { return provider }
    return able.first
  }

  /// The refusal of a recipe that none of these providers makes, with the recipes they do make.
  static func unsupported(_ recipe: Recipe, by candidates: [any ImageProvider]) -> AtelierError {
    let served = Set(candidates.flatMap(\.profile.recipes)).map(\.rawValue).sorted().joined(separator: ", ")
    return AtelierError(
      .unsupportedByProvider,
      "No provider here can make “\(recipe.rawValue)”. Choose one of: \(served).",
      provider: candidates.count == 1 ? candidates.first?.id : nil)
  }

  /// The refusal of a recipe for which the operator's order has no provider.
  private static func onlyByName(_ recipe: Recipe, _ able: [any ImageProvider]) -> AtelierError {
    let names = able.map(\.id.rawValue).joined(separator: ", ")
    return AtelierError(
      .unsupportedByProvider,
      "Choose a provider for “\(recipe.rawValue)”: \(names).",
      hint: "The configured order has no provider of this recipe, so it is made only by one that the request names.")
  }
}
