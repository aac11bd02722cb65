import AtelierProtocol
import Engine

/// `credits/products`: everything that is sold.
enum CreditsProductsMethod: Method {
  static func answer(
    _ message: CreditsProducts, for caller: Caller, by engine: Engine
  ) async throws -> CreditsProducts.Result {
    engine.products()
  }
}
