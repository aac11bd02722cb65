import AtelierProtocol
import Providers

extension ProviderMonitor {
  /// The lineup for a request: the candidates that are ready, in their order.
  ///
  /// A default provider that has to pause is not replaced: a different kind of picture would surprise the host.
  /// - Throws: the refusal of the first, when none is ready.
  func lineup(
    for request: ImageRequest, among candidates: [any ImageProvider]
  ) async throws(AtelierError) -> ProviderLineup {
    var ready: [any ImageProvider] = []
    var refusals: [AtelierError] = []
    for candidate in candidates {
      if let refusal = await refusal(of: candidate, for: request, isFirst: candidate.id == candidates.first?.id) {
        refusals.append(refusal)
      } else {
        ready.append(candidate)
      }
    }
    guard let first = ready.first else { throw refusals.first ?? AtelierError(.providerUnavailable) }
    return ProviderLineup(first: first, others: Array(ready.dropFirst()), passedOver: refusals)
  }

  /// The providers to ask if all are ready: those the host lists, in its order; without a list, the first provider here
  /// that can make the recipe and has its key.
  func candidates(
    for recipe: Recipe, wanted: ProviderChoice?, registry: ProviderRegistry
  ) async throws(AtelierError) -> [any ImageProvider] {
    guard let wanted else { return try await [standard(for: recipe, in: registry)] }
    return try wanted.ids.map { id throws(AtelierError) in try registry.provider(id) }
  }

  private func refusal(
    of provider: any ImageProvider, for request: ImageRequest, isFirst: Bool
  ) async -> AtelierError? {
    guard provider.profile.recipes.contains(request.recipe) else {
      return ProviderRegistry.unsupported(request.recipe, by: [provider])
    }
    let fitting = request.fitting(provider, isFirst: isFirst)
    do throws(AtelierError) {
      try provider.check(fitting)
    } catch {
      return error
    }
    return await refusal(of: provider, for: fitting)
  }

  private func standard(
    for recipe: Recipe, in registry: ProviderRegistry
  ) async throws(AtelierError) -> any ImageProvider {
    let able = registry.all.filter { $0.profile.recipes.contains(recipe) }
    guard let first = able.first else { throw ProviderRegistry.unsupported(recipe, by: registry.all) }
    for provider in able where await !provider.availability().needsKey { return provider }
    return first
  }
}

extension ImageRequest {
  /// The same request for a later provider: a named model belongs to the first provider, unless this one has it too.
  func fitting(_ provider: any ImageProvider, isFirst: Bool) -> ImageRequest {
    var request = self
    if !isFirst, let model, !provider.profile.models.contains(model) { request.model = nil }
    return request
  }

  /// The model that `provider` uses for the request; empty when unknown, which stands for any.
  func model(of provider: any ImageProvider) -> String { model ?? provider.profile.models.first ?? "" }
}

/// The providers asked for a request, in order, and those passed over, with the reasons.
struct ProviderLineup: Sendable {
  var first: any ImageProvider
  /// Asked one after the other when an earlier provider fails with an error that another may not have.
  var others: [any ImageProvider] = []
  /// The refusals of the other wanted providers, each naming its provider.
  var passedOver: [AtelierError] = []

  /// All providers that may be asked.
  var asked: [any ImageProvider] { [first] + others }
}

extension Warning {
  /// Explains why an earlier wanted provider did not make the picture.
  init(passingOver error: AtelierError) {
    self.init(
      kind: Self.fallback, message: "\(error.provider?.rawValue ?? "A provider") was passed over: \(error.message)")
  }

  /// Whether this is such a warning.
  var tellsOfAFallback: Bool { kind == Self.fallback }

  private static let fallback = "provider_fallback"
}

/// The available providers, in the order in which they are tried when a host names none.
public struct ProviderRegistry: Sendable {
  public let all: [any ImageProvider]

  public init(_ all: [any ImageProvider]) {
    self.all = all
  }

  /// The ids, in order.
  public var ids: [ProviderID] { all.map(\.id) }

  /// - Throws: `unsupported_by_provider` for an unknown id, with the known ids.
  public func provider(_ id: ProviderID) throws(AtelierError) -> any ImageProvider {
    guard let provider = all.first(where: { $0.id == id }) else {
      let known = ids.map(\.rawValue).joined(separator: ", ")
      throw AtelierError(
        .unsupportedByProvider, "There is no provider “\(id.rawValue)” here. Choose one of: \(known).", provider: id)
    }
    return provider
  }

  /// The refusal of a recipe that none of these providers makes, with the recipes they do make.
  static func unsupported(_ recipe: Recipe, by candidates: [any ImageProvider]) -> AtelierError {
    let served = Set(candidates.flatMap(\.profile.recipes)).map(\.rawValue).sorted().joined(separator: ", ")
    return AtelierError(
      .unsupportedByProvider,
      "No provider here can make the recipe “\(recipe.rawValue)”. Choose one of: \(served).",
      provider: candidates.count == 1 ? candidates.first?.id : nil)
  }
}
