import AtelierProtocol
import Localization
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
}

extension ImageRequest {
  /// The same request for a later provider: a named model belongs to the first provider, unless this one has it too.
  func fitting(_ provider: any ImageProvider, isFirst: Bool) -> ImageRequest {
    var request = self
    if !isFirst, let model, !provider.profile.models(for: recipe).contains(model) { request.model = nil }
    return request
  }

  /// The model that `provider` uses for the request; empty when unknown, which stands for any.
  func model(of provider: any ImageProvider) -> String { model ?? provider.profile.models(for: recipe).first ?? "" }
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
    let message: Sentence =
      if let provider = error.provider {
        "\(provider.rawValue) was passed over: \(error.sentence)"
      } else {
        "A provider was passed over: \(error.sentence)"
      }
    self.init(kind: Self.fallback, message: message)
  }

  /// Whether this is such a warning.
  var tellsOfAFallback: Bool { kind == Self.fallback }

  private static let fallback = "provider_fallback"
}
