/// A place as a lookup describes it.
public struct FoundPlace: Codable, Hashable, Sendable, OpenToUnknownMembers {
  /// The name of the place.
  public var name: String
  /// Street and number.
  public var streetAddress1: String?
  /// A second line of the address, such as a floor.
  public var streetAddress2: String?
  /// Town or city.
  public var city: String?
  /// State, province or region.
  public var state: String?
  /// The postal code.
  public var postalCode: String?
  /// The country's name.
  public var country: String?
  /// The position. A place with neither a position nor a city, street or postal code verifies nothing.
  public var coordinate: Coordinate?

  public init(
    name: String, streetAddress1: String? = nil, streetAddress2: String? = nil, city: String? = nil,
    state: String? = nil, postalCode: String? = nil, country: String? = nil, coordinate: Coordinate? = nil
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
}
