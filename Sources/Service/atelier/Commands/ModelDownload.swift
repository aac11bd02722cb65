import CurlHTTP
import Imaging

/// Fetches a model from the address that the operator has named, which is all that is ever fetched for one.
struct ModelDownload {
  let http: any HTTPPerforming

  private static let mostRedirects = 5
  private static let limits = HTTPLimits(total: .seconds(1800), responseBytes: NetworkCatalogue.maximumBytes)

  /// - Throws: ``NetworkRefusal``, or `CancellationError`.
  func bytes(at url: String) async throws -> [UInt8] {
    var url = url
    // Places of models send to where they keep large files. The digest says that the right one came.
    for _ in 0...Self.mostRedirects {
      let response = try await answer(url)
      if response.status == 200 { return response.body }
      guard (300..<400).contains(response.status), let location = response.header("location") else {
        throw NetworkRefusal(.notFetched, "The server answered with the status \(response.status) instead of the model.")
      }
      guard let target = Self.target(location, from: url) else {
        throw NetworkRefusal(.notFetched, "The server sends to an address that is not of HTTPS, which is not followed.")
      }
      url = target
    }
    throw NetworkRefusal(.notFetched, "The server sends from one address to another without an end.")
  }

  private func answer(_ url: String) async throws -> HTTPResponse {
    do {
      return try await http.perform(HTTPRequest(.get, url, limits: Self.limits))
    } catch let error as HTTPError {
      switch error.cause {
      case .tooLarge:
        throw NetworkRefusal.fileTooLarge
      case .badURL:
        throw NetworkRefusal(.notFetched, "The address must begin with https:// and name a file.")
      default:
        throw NetworkRefusal(.notFetched, "The model could not be fetched: \(error.detail)")
      }
    }
  }

  /// Where a redirect leads: to HTTPS, or to another place of the same server, which may be this machine. Nil otherwise.
  static func target(_ location: String, from url: String) -> String? {
    if location.lowercased().hasPrefix("https://") { return location }
    guard location.hasPrefix("/"), !location.hasPrefix("//"), let scheme = url.firstRange(of: "://") else { return nil }
    let host = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
    return "\(url[..<scheme.upperBound])\(host)\(location)"
  }
}
