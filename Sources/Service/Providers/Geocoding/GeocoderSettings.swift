/// How to reach a geocoder, and how long its answers are kept.
public struct GeocoderSettings: Sendable, Equatable {
  public var baseURL: BaseURL
  /// Says which application asks, as public servers demand.
  public var userAgent: String
  /// The least time between two requests of all processes of the data directory, in milliseconds.
  public var intervalMs: Int
  /// How long answers are kept, in milliseconds; 0 keeps none.
  public var keptMs: Int64

  public init(baseURL: BaseURL, userAgent: String, intervalMs: Int, keptMs: Int64) {
    self.baseURL = baseURL
    self.userAgent = userAgent
    self.intervalMs = intervalMs
    self.keptMs = keptMs
  }

  /// Whether an address is that of OpenStreetMap's own server, whose rules allow one request a second and want to know
  /// who asks.
  public static func isPublic(_ baseURL: BaseURL) -> Bool {
    baseURL.origin.host == .name("nominatim.openstreetmap.org")
  }
}
