import AtelierProtocol
import Providers

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
