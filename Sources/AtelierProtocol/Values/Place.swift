/// A place that was found and verified.
public struct Place: Codable, Sendable, Equatable {
  public var name: String
  public var streetAddress1: String
  public var streetAddress2: String?
  public var city: String
  public var state: String?
  public var postalCode: String?
  public var country: String?
  /// Where the lookup found it.
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
    public var latitude: Double
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
      self.latitude = latitude
      self.longitude = longitude
    }
  }
}

extension Place: SchemaDescribed {
  public static let summary = "A place that was found and verified."

  public static let members = [
    "coordinate": "Where the lookup found it."
  ]
}

extension Place.Coordinate: SchemaDescribed {
  public static let summary = "A position on the globe, in degrees (WGS 84)."
}
