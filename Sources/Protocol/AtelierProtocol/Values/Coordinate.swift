/// A position on the globe, in degrees (WGS 84).
public struct Coordinate: Codable, Hashable, Sendable {
  /// Degrees north of the equator.
  @LimitedNumber<Latitude> public var latitude: Double
  /// Degrees east of Greenwich.
  @LimitedNumber<Longitude> public var longitude: Double

  /// - Returns: nil for numbers that are no position.
  public init?(latitude: Double, longitude: Double) {
    guard Latitude.allows(latitude), Longitude.allows(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }
}
