/// A place that was found and verified.
public struct Place: Codable, Sendable, Equatable {
  /// The name of the place.
  public var name: String
  /// Street and number.
  public var streetAddress1: String
  /// A second line of the address, such as a floor.
  public var streetAddress2: String?
  /// Town or city.
  public var city: String
  /// State, province or region.
  public var state: String?
  /// The postal code.
  public var postalCode: String?
  /// The country's name.
  public var country: String?
  /// The position that the verification found.
  public var coordinate: Coordinate?

  public init(
    name: String, streetAddress1: String, streetAddress2: String? = nil, city: String, state: String? = nil,
    postalCode: String? = nil, country: String? = nil, coordinate: Coordinate? = nil
  ) {
    self.name = name
    self.streetAddress1 = streetAddress1
    self.streetAddress2 = streetAddress2
    self.city = city
    self.state = state
    self.postalCode = postalCode
    self.country = country
    self.coordinate = coordinate
  }

  /// A position on the globe, in degrees (WGS 84).
  public struct Coordinate: Codable, Sendable, Equatable {
    /// Degrees north of the equator.
    public var latitude: Double
    /// Degrees east of Greenwich.
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
      self.latitude = latitude
      self.longitude = longitude
    }
  }
}
