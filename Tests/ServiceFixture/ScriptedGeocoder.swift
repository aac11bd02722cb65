import CurlHTTP
import JSON
import Providers
import Synchronization

/// A geocoder that answers every lookup with the same status and finds the same place.
public final class ScriptedGeocoder: HTTPPerforming {
  private let asked = Mutex<[String]>([])
  private let status: Int
  private let retryAfter: String
  private let gate: Gate

  /// - Parameters:
  ///   - retryAfter: how long it asks for a pause, in seconds.
  ///   - gate: holds the answers until it is open.
  public init(status: Int = 200, retryAfter: String = "30", gate: Gate = Gate(isOpen: true)) {
    self.status = status
    self.gate = gate
    self.retryAfter = retryAfter
  }

  /// The addresses of all requests, in order.
  public var urls: [String] { asked.withLock { $0 } }

  public func perform(
    _ request: HTTPRequest, takesPieces: Bool, event: @escaping @Sendable (HTTPTransferEvent) -> Void
  ) async throws -> HTTPResponse {
    asked.withLock { $0.append(request.url) }
    try await gate.pass()
    let place: JSONValue = [
      "name": "Houndstooth Coffee", "lat": "30.2667", "lon": "-97.7428",
      "address": ["house_number": "401", "road": "Congress Ave", "city": "Austin", "country_code": "us"],
    ]
    return HTTPResponse(
      status: status, headers: [HTTPHeader("Retry-After", retryAfter)], body: JSONValue.array([place]).serialized())
  }

  /// The client of it, as an engine takes it.
  public func geocoder(intervalMs: Int = 0) -> NominatimGeocoder? {
    BaseURL("https://geocoder.example/api").map { baseURL in
      NominatimGeocoder(
        settings: GeocoderSettings(baseURL: baseURL, userAgent: "test", intervalMs: intervalMs, keptMs: 60_000),
        http: self)
    }
  }
}
