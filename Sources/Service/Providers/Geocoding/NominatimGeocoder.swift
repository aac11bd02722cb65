import AtelierProtocol
import CurlHTTP
import Encodings
import JSON

/// Looks places up at a Nominatim-compatible geocoder, one request per lookup.
///
/// It makes one attempt. Who calls it spaces the requests, keeps the answers and heeds a refusal.
public struct NominatimGeocoder: Sendable {
  public let settings: GeocoderSettings
  private let http: any HTTPPerforming

  /// How long a lookup may take, and how large its answer may be.
  private static let limits = HTTPLimits(
    total: .seconds(10), connect: .seconds(5), stall: .seconds(10), responseBytes: 1 << 20)
  private static let mostPlaces = 10

  public init(settings: GeocoderSettings, http: any HTTPPerforming) {
    self.settings = settings
    self.http = http
  }

  /// The places that fit a query, best first.
  /// - Parameters:
  ///   - near: results near this position come first.
  ///   - language: the wanted language of names (BCP 47).
  /// - Throws: `AtelierError`: `rate_limited` with the wait that the server asked for; `quota_exhausted`, `offline`,
  ///   `provider_timeout`, `provider_error`; `CancellationError`.
  public func places(for query: String, near: Coordinate?, language: String?) async throws -> [FoundPlace] {
    let request = HTTPRequest(
      .get, url(query, near: near, language: language),
      headers: [HTTPHeader("User-Agent", settings.userAgent), HTTPHeader("Accept", "application/json")],
      limits: Self.limits)
    let response: HTTPResponse
    do {
      response = try await http.perform(request)
    } catch let error as HTTPError {
      try Task.checkCancellation()
      throw AtelierError(error, provider: Self.id)
    }
    guard response.status == 200 else { throw refusal(response, of: query) }
    guard let json = try? JSONValue(parsing: response.body.span, maximumValues: 20_000), let entries = json.array else {
      throw AtelierError(
        .providerError, "The geocoder's answer could not be understood.", provider: Self.id,
        details: ["reason": "malformed_response"])
    }
    return entries.prefix(Self.mostPlaces).compactMap(FoundPlace.init(nominatim:))
  }

  /// What errors and the record of pauses call it; it is no provider of pictures.
  public static let id: ProviderID = "geocoder"

  /// - Parameter query: the words that were sent, which servers quote.
  private func refusal(_ response: HTTPResponse, of query: String) -> AtelierError {
    let details: JSONObject = ["reason": "geocoder", "httpStatus": .number(JSONNumber(response.status))]
    let refusal = ServerRefusal(response)
    if let money = MoneyRefusal(refusal, quoting: query) {
      return AtelierError(
        .quotaExhausted, "The geocoder refused a lookup.", hint: money.hint, provider: Self.id,
        details: ["reason": .string(money.name), "httpStatus": .number(JSONNumber(response.status))], retryable: false)
    }
    guard response.status == 429 else {
      return AtelierError(.providerError, "The geocoder refused a lookup.", provider: Self.id, details: details)
    }
    let wait = refusal.headers.retryDelay ?? refusal.statedDelay
    return AtelierError(.rateLimited, retryAfterMs: wait?.milliseconds, provider: Self.id, details: details)
  }

  private func url(_ query: String, near: Coordinate?, language: String?) -> String {
    var fields = [
      ("format", "jsonv2"), ("addressdetails", "1"), ("limit", String(Self.mostPlaces)), ("q", query),
    ]
    if let language { fields.append(("accept-language", language)) }
    if let near {
      // About a hundred kilometres to each side; places outside are not ruled out.
      let sides = [near.longitude - 1, near.latitude + 1, near.longitude + 1, near.latitude - 1]
      fields.append(("viewbox", sides.map { JSONNumber($0)?.text ?? "0" }.joined(separator: ",")))
    }
    return settings.baseURL.appending("search?")
      + fields.map { "\($0)=\(PercentEncoding.encoded($1))" }.joined(separator: "&")
  }
}

extension FoundPlace {
  /// The longest text of an answer that is taken over, in Unicode code points.
  private static let longest = 500

  /// Reads an element of an answer in the format `jsonv2`.
  /// - Returns: nil for one without a name or a position.
  init?(nominatim json: JSONValue) {
    func text(_ value: JSONValue?) -> String? {
      value?.string.flatMap { $0.isEmpty || $0.unicodeScalars.count > Self.longest ? nil : $0 }
    }
    func degrees(_ name: String) -> Double? { json[name]?.double ?? json[name]?.string.flatMap(Double.init) }
    let address = json["address"]
    func part(_ names: String...) -> String? { names.lazy.compactMap { text(address?[$0]) }.first }
    let first = text(json["display_name"])?.split(separator: ",").first.map(String.init)
    guard let name = text(json["name"]) ?? first, let latitude = degrees("lat"), let longitude = degrees("lon"),
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    self.init(
      name: name,
      streetAddress1: Self.street(
        // Where streets have no names, as in Japan, the block has one.
        part("road", "pedestrian", "footway", "square", "neighbourhood", "quarter", "suburb"),
        number: part("house_number"), country: text(address?["country_code"])),
      city: part("city", "town", "village", "municipality", "hamlet", "city_district", "county"),
      state: part("state", "province", "region", "state_district"), postalCode: part("postcode"),
      country: part("country"), coordinate: coordinate)
  }

  /// Where the number of a building is written before its street.
  private static let numberFirst: Set<String> = [
    "us", "ca", "gb", "ie", "au", "nz", "in", "fr", "lu", "za", "sg", "my", "ph", "th", "pk", "lk", "bd", "ng", "ke",
  ]

  private static func street(_ road: String?, number: String?, country: String?) -> String? {
    guard let road, let number else { return road }
    return numberFirst.contains(country?.lowercased() ?? "") ? "\(number) \(road)" : "\(road) \(number)"
  }
}
