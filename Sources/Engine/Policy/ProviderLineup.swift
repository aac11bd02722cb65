import AtelierProtocol
import Providers

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
