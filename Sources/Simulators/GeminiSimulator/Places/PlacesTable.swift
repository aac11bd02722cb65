import JSON

/// The places that the simulator knows: those its models name, and those its geocoder finds.
struct PlacesTable: Decodable, Sendable {
  /// A town and its places.
  struct Region: Decodable, Sendable {
    /// A prompt with one of these is about the region.
    var keywords: [String]
    var city: String
    var state: String
    var country: String
    var countryCode: String
    var places: [Place]
  }

  struct Place: Decodable, Sendable {
    var name: String
    var number: String
    var road: String
    var postcode: String
    var latitude: Double
    var longitude: Double
  }

  static let regions: [Region] = Resources.places

  /// The region that a text is about; the first when it names none.
  static func region(of text: String) -> Region? {
    let text = text.lowercased()
    return regions.first { $0.keywords.contains { text.contains($0) } } ?? regions.first
  }
}

/// Answers as Nominatim does: `GET /search` in the format `jsonv2`.
enum NominatimService {
  /// The name that steps of a scenario have to give for lookups to meet them.
  static let model = "nominatim"

  static func search(_ request: ReceivedRequest) throws(HTTPAnswer) -> HTTPAnswer {
    let agent = request.header("User-Agent") ?? ""
    guard !agent.isEmpty else { throw .html(status: 403, "<html><p>Access blocked: name your application.</p></html>\n") }
    let question = request.target.queryValue("q") ?? ""
    var facts = RequestFacts()
    facts.prompt = question
    request.facts = facts
    guard request.target.queryValue("format") == "jsonv2", !question.isEmpty else {
      throw .json(status: 400, ["error": ["code": 400, "message": "Nothing to search for."]])
    }
    if let response = request.step.response { return response.answer }
    if let error = request.step.fault?.errorAnswer() { return error }
    switch request.step.toolFault {
    case .lookupNone: return .json(JSONValue.array([]))
    case .lookupOther: return .json([entry(Self.other, of: PlacesTable.regions[0])])
    default: break
    }
    let found = PlacesTable.regions.flatMap { region in
      region.places.filter { question.lowercased().contains($0.name.lowercased()) }.map { entry($0, of: region) }
    }
    return .json(.array(found))
  }

  private static let other = PlacesTable.Place(
    name: "Somewhere Else Entirely", number: "1", road: "Far Away Rd", postcode: "99999", latitude: 61.2, longitude: -149.9)

  private static func entry(_ place: PlacesTable.Place, of region: PlacesTable.Region) -> JSONValue {
    let address: JSONValue = [
      "house_number": .string(place.number), "road": .string(place.road), "city": .string(region.city),
      "state": .string(region.state), "postcode": .string(place.postcode), "country": .string(region.country),
      "country_code": .string(region.countryCode),
    ]
    return [
      "place_id": 1, "category": "amenity", "type": "cafe", "name": .string(place.name),
      "lat": .string("\(place.latitude)"), "lon": .string("\(place.longitude)"),
      "display_name": .string("\(place.name), \(place.number) \(place.road), \(region.city), \(region.country)"),
      "address": address,
    ]
  }
}
