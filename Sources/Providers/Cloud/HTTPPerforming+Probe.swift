import AtelierProtocol
import CurlHTTP

extension HTTPPerforming {
  /// Looks whether a provider answers, with neither key nor pictures: a refusal is an answer too.
  /// - Parameters:
  ///   - url: something of its API that costs nothing.
  ///   - connectLimitMs: the longest until the connection stands, in milliseconds.
  /// - Throws: `AtelierError` when nobody answers, when the provider says that it is out of order, or something on the
  ///   way answers in its place; `CancellationError`.
  func probe(_ url: String, connectLimitMs: Int, of provider: ProviderID) async throws {
    let limits = HTTPLimits(
      total: .seconds(15), connect: .milliseconds(connectLimitMs), stall: .seconds(10), responseBytes: 65_536)
    let status: Int
    do {
      let headers = [HTTPHeader("User-Agent", "atelier/\(Version.current)")]
      status = try await perform(HTTPRequest(.get, url, headers: headers, limits: limits)).status
    } catch let error as HTTPError {
      try Task.checkCancellation()
      // More than was wanted: it is there.
      if error.cause == .tooLarge { return }
      throw AtelierError(error, provider: provider)
    }
    guard (200..<300).contains(status) || (400..<500).contains(status) else {
      throw AtelierError(.providerUnavailable, provider: provider)
    }
  }
}
