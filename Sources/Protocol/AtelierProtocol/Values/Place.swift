import JSON

/// A place that a lookup has found: whatever the model says, nothing else becomes a place of a result.
public struct Place: Codable, Sendable, Equatable {
  /// The name of the place.
  public var name: String
  /// Street and number, as the lookup wrote them; empty if it knows none.
  public var streetAddress1: String
  /// A second line of the address, such as a floor.
  public var streetAddress2: String?
  /// Town or city; empty if the lookup knows none.
  public var city: String
  /// State, province or region.
  public var state: String?
  /// The postal code.
  public var postalCode: String?
  /// The country's name.
  public var country: String?
  /// The position that the lookup found.
  public var coordinate: Coordinate?
  /// Who answered the lookup.
  public var source: PlaceSource
  /// When the lookup was answered.
  public var verifiedAt: Timestamp

  public init(
    name: String, streetAddress1: String, streetAddress2: String? = nil, city: String, state: String? = nil,
    postalCode: String? = nil, country: String? = nil, coordinate: Coordinate? = nil, source: PlaceSource,
    verifiedAt: Timestamp
  ) {
    self.name = name
    self.streetAddress1 = streetAddress1
    self.streetAddress2 = streetAddress2
    self.city = city
    self.state = state
    self.postalCode = postalCode
    self.country = country
    self.coordinate = coordinate
    self.source = source
    self.verifiedAt = verifiedAt
  }
}

/// Who answers lookups of places.
public enum PlaceSource: String, Codable, Sendable, CaseIterable {
  /// The host, by `location/search`.
  case host
  /// The geocoder that the operator configured.
  case geocoder
}

/// The places that a model named and no lookup confirmed.
public struct DroppedPlaces: Codable, Sendable, Equatable {
  /// How many places were left out of the result.
  public var count: Int
  /// Their names, as the model wrote them; at most 50. Empty in the record of a private generation.
  public var names: [String]

  public init(count: Int, names: [String]) {
    self.count = count
    self.names = names
  }
}

/// Where to look for places: a position, or an area in words.
public enum SearchArea: Hashable, Sendable {
  case coordinate(Coordinate)
  case text(String)
}

extension SearchArea {
  /// An area as a person or a model writes it: `LATITUDE,LONGITUDE`, or words.
  /// - Returns: nil for two numbers that are no position, and for no words or too many.
  public init?(words: String) {
    let numbers = words.split(separator: ",", omittingEmptySubsequences: false).map { part in
      Double(part.filter { !$0.isWhitespace })
    }
    if numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] {
      guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else { return nil }
      self = .coordinate(coordinate)
    } else if NameLength.allows(words), words.contains(where: { !$0.isWhitespace }) {
      self = .text(words)
    } else {
      return nil
    }
  }
}

extension SearchArea: Codable {
  static let expected = "a latitude and a longitude, or a string of 1 to 256 characters"

  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      guard NameLength.allows(text) else { throw JSONExpectation(Self.expected) }
      self = .text(text)
    } else if let coordinate = try? Coordinate(from: decoder) {
      self = .coordinate(coordinate)
    } else {
      throw JSONExpectation(Self.expected)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .coordinate(let coordinate): try coordinate.encode(to: encoder)
    case .text(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }
}
