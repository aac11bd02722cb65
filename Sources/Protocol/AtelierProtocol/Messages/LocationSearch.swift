/// Asks the host whether a place exists.
///
/// The service sends it to a host that set `capabilities.locationSearch` in `initialize`, while it works on a request for
/// `places`. The host has ten seconds. An error, an answer of another form, or none becomes a warning of the generation,
/// and the operator's geocoder is asked instead. `$/cancelRequest` withdraws the question.
public struct LocationSearch: RequestMessage {
  public static let method = "location/search"

  /// Of more places in an answer, the first so many count.
  public static let mostPlaces = 20

  /// The name of a place and where it is said to be, as the model wrote them: `Houndstooth Coffee, Austin`.
  public var query: String
  /// Where the request for places wants them, if it says.
  public var near: SearchArea?
  /// The language that the request for places wants names in, if it says.
  public var language: String?
  /// The generation that the place is for.
  public var generationId: GenerationID

  public init(query: String, near: SearchArea? = nil, language: String? = nil, generationId: GenerationID) {
    self.query = query
    self.near = near
    self.language = language
    self.generationId = generationId
  }

  /// What was found.
  public struct Result: Codable, Sendable, Equatable, OpenToUnknownMembers {
    /// The places that fit the query, best first; empty if there are none. Of more than twenty, the first twenty count.
    public var places: [FoundPlace]

    public init(places: [FoundPlace]) { self.places = places }
  }
}

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
