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
