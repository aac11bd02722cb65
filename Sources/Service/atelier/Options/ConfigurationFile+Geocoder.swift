import AtelierProtocol
import Providers

extension ConfigurationFile {
  /// The geocoder that verifies places for hosts that do not.
  struct Geocoder: Codable, Sendable, Equatable {
    /// The address of a server with Nominatim's API.
    var baseUrl: String
    /// What is sent as User-Agent. OpenStreetMap's own server wants an address to write to in it.
    var userAgent: String?
    /// The most lookups a second, of all processes of the data directory.
    var requestsPerSecond: Int?
    /// How long answers are kept, in days; 0 keeps none.
    var cacheDays: Int?
  }
}

extension ConfigurationFile.Geocoder {
  /// The rules of OpenStreetMap's own server allow no more.
  private static let publicIntervalMs = 1000

  /// - Throws: ``ConfigurationFault`` for an invalid value.
  func settings() throws -> GeocoderSettings {
    guard let baseURL = BaseURL(baseUrl) else {
      throw ConfigurationFault("geocoder/baseUrl", "must be \(BaseURL.expectation).")
    }
    let isPublic = GeocoderSettings.isPublic(baseURL)
    guard userAgent != nil || !isPublic else {
      throw ConfigurationFault(
        "geocoder/userAgent",
        "must say which application asks, with an address to write to: OpenStreetMap's own server refuses others.")
    }
    if let userAgent, !(1...200).contains(userAgent.utf8.count)
      || !userAgent.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) {
      throw ConfigurationFault("geocoder/userAgent", "must be 1 to 200 plain characters.")
    }
    let rate = try checked(requestsPerSecond, "requestsPerSecond", isPublic ? 1...1 : 1...1000)
    let days = try checked(cacheDays, "cacheDays", 0...365) ?? 30
    return GeocoderSettings(
      baseURL: baseURL, userAgent: userAgent ?? "atelier/\(Version.current)",
      intervalMs: Self.publicIntervalMs / (rate ?? 1), keptMs: Int64(days) * 86_400_000)
  }

  private func checked(_ value: Int?, _ name: String, _ range: ClosedRange<Int>) throws -> Int? {
    guard let value, !range.contains(value) else { return value }
    let expected = range.count == 1 ? "\(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
    throw ConfigurationFault("geocoder/\(name)", "must be \(expected).")
  }
}
