import AtelierProtocol
import Providers

extension ProviderMonitor {
  /// Who is asked for a request: the candidates that are ready, in their order.
  ///
  /// One that was chosen for the host and has to pause is not replaced: a picture of another kind would surprise.
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

  /// Who would be asked, were everybody ready: those the host lists, in its order; where it lists none, the first
  /// provider here that can make the recipe and has its key.
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
  /// The same for a provider down the list: a model that was named is the first one's, unless this one has it too.
  func fitting(_ provider: any ImageProvider, isFirst: Bool) -> ImageRequest {
    var request = self
    if !isFirst, let model, !provider.profile.models.contains(model) { request.model = nil }
    return request
  }

  /// The model that `provider` uses for it; empty where that is not known, which stands for any.
  func model(of provider: any ImageProvider) -> String { model ?? provider.profile.models.first ?? "" }
}

/// Who is asked for a request, in order, and who was not, and why.
struct ProviderLineup: Sendable {
  var first: any ImageProvider
  /// Asked one after the other when those before fail of something they may cure.
  var others: [any ImageProvider] = []
  /// Refusals of those that were wanted as well, each naming its provider.
  var passedOver: [AtelierError] = []

  /// Everybody who may be asked.
  var asked: [any ImageProvider] { [first] + others }
}

extension Warning {
  /// Tells why a provider that was wanted before did not make the picture (REQUIREMENTS 3.4).
  init(passingOver error: AtelierError) {
    self.init(
      kind: Self.fallback, message: "\(error.provider?.rawValue ?? "A provider") was passed over: \(error.message)")
  }

  /// Whether it tells that.
  var tellsOfAFallback: Bool { kind == Self.fallback }

  private static let fallback = "provider_fallback"
}

/// The providers there are, in the order in which they are tried when a host names none.
public struct ProviderRegistry: Sendable {
  public let all: [any ImageProvider]

  public init(_ all: [any ImageProvider]) {
    self.all = all
  }

  /// The ids, in order.
  public var ids: [ProviderID] { all.map(\.id) }

  /// - Throws: `unsupported_by_provider` for an id there is no provider of, with the ids there are.
  public func provider(_ id: ProviderID) throws(AtelierError) -> any ImageProvider {
    guard let provider = all.first(where: { $0.id == id }) else {
      let known = ids.map(\.rawValue).joined(separator: ", ")
      throw AtelierError(
        .unsupportedByProvider, "There is no provider “\(id.rawValue)” here. Choose one of: \(known).", provider: id)
    }
    return provider
  }

  /// The refusal of a recipe that none of these makes, with what they do make.
  static func unsupported(_ recipe: Recipe, by candidates: [any ImageProvider]) -> AtelierError {
    let served = Set(candidates.flatMap(\.profile.recipes)).map(\.rawValue).sorted().joined(separator: ", ")
    return AtelierError(
      .unsupportedByProvider,
      "The recipe “\(recipe.rawValue)” is not served here. What can be asked for: \(served).",
      provider: candidates.count == 1 ? candidates.first?.id : nil)
  }
}
