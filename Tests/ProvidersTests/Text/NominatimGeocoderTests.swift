import AtelierProtocol
import CurlHTTP
import GeminiSimulator
import JSON
import Testing

@testable import Providers

@Suite("A geocoder", .timeLimit(.minutes(2)))
struct NominatimGeocoderTests {
  private func withGeocoder(_ body: (NominatimGeocoder, GeminiSimulator) async throws -> Void) async throws {
    let simulator = try await GeminiSimulator.start()
    let client = CurlClient(CurlSettings(proxy: .none))
    let settings = GeocoderSettings(
      baseURL: try #require(BaseURL(simulator.baseURL)), userAgent: "test/1", intervalMs: 0, keptMs: 0)
    do {
      try await body(NominatimGeocoder(settings: settings, http: client), simulator)
    } catch {
      client.close()
      await simulator.stop()
      throw error
    }
    client.close()
    await simulator.stop()
  }

  @Test("a geocoder finds places with their addresses, in every script", arguments: [
    ("Houndstooth Coffee, Austin", "401 Congress Ave", "Austin"), ("Café El Jarocho", "Cuauhtémoc 134", "Ciudad de México"),
    ("茶亭 羽當", "渋谷 1-15-19", "東京"), ("护国寺小吃店", "护国寺大街 93号", "北京市"), ("करीम होटल", "16 गली कबाबियां", "नई दिल्ली"),
  ])
  func finds(query: String, street: String, city: String) async throws {
    try await withGeocoder { geocoder, simulator in
      let places = try await geocoder.places(
        for: query, near: Coordinate(latitude: 1, longitude: -2.5), language: "es-MX")
      #expect(places.count == 1 && places[0].streetAddress1 == street && places[0].city == city)
      #expect(places[0].coordinate != nil && places[0].postalCode != nil)
      let nothing = try await geocoder.places(for: "Nothing There", near: nil, language: nil)
      #expect(nothing == [])
      let request = simulator.requests[0]
      #expect(request.header("User-Agent") == "test/1" && request.facts?.prompt == query)
    }
  }

  @Test("a geocoder is heeded when it refuses, and refused when it answers rubbish")
  func failures() async throws {
    try await withGeocoder { geocoder, simulator in
      func step(_ status: Int, _ body: JSONValue, _ headers: [HeaderField] = []) -> ScenarioStep {
        ScenarioStep(model: "nominatim", response: .init(status: status, headers: headers, json: body))
      }
      for (step, kind, wait) in [
        (step(429, "Too many", [HeaderField("Retry-After", "7")]), ErrorKind.rateLimited, 7_000),
        (step(429, []), .rateLimited, nil), (step(403, []), .providerError, nil), (step(200, ["a": 1]), .providerError, nil),
        (ScenarioStep(.transport(.notHTTP), model: "nominatim"), .providerError, nil),
      ] as [(ScenarioStep, ErrorKind, Int?)] {
        simulator.enqueue(step)
        let error = await #expect(throws: AtelierError.self) {
          _ = try await geocoder.places(for: "x", near: nil, language: nil)
        }
        #expect(error?.kind == kind && error?.retryAfterMs == wait)
      }
      simulator.enqueue(
        step(
          200,
          [
            7, [:], ["name": "X", "lat": "91", "lon": "0"], ["name": "X", "lat": "a", "lon": "0"], ["lat": "1", "lon": "2"],
          ]))
      let unusable = try await geocoder.places(for: "x", near: nil, language: nil)
      #expect(unusable == [])
    }
  }
}
