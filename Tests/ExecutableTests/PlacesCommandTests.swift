import Foundation
import GeminiSimulator
import JSON
import ServiceFixture
import Support
import Testing

@Suite("atelier places", .serialized, .timeLimit(.minutes(2)))
struct PlacesCommandTests {
  private let directory: TemporaryDirectory
  private let simulator: GeminiSimulator

  init() async throws {
    directory = try TemporaryDirectory()
    simulator = try await GeminiSimulator.start(SimulatorOptions())
  }

  private func run(_ arguments: String..., geocoder: Bool = true) async throws -> Executable.Outcome {
    let settings: JSONValue = ["geocoder": ["baseUrl": .string(simulator.baseURL), "requestsPerSecond": 1000]]
    let path = try directory.write("places.json", geocoder ? settings.serialized() : Array("{}".utf8))
    return try await Executable.run(
      ["places"] + arguments + ["--data-dir", "\(directory.path)/data", "--config", path],
      environment: [
        "GEMINI_API_KEY": "an-invented-key-0123456789", "GOOGLE_GEMINI_BASE_URL": simulator.baseURL,
        "no_proxy": "127.0.0.1",
      ])
  }

  @Test("atelier places prints a place on each line, and says first who is asked and at what price")
  func list() async throws {
    let outcome = try await run("Top coffee shops in Austin [[fault:tools:invented]]")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.lines == [
        "Houndstooth Coffee\t401 Congress Ave, 78701 Austin, Texas, United States",
        "Cuvée Coffee Bar\t2000 E 6th St, 78702 Austin, Texas, United States",
        "Epoch Coffee\t221 W North Loop Blvd, 78751 Austin, Texas, United States",
      ])
    let told = outcome.errors.split(separator: "\n")
    let notice = "atelier: Google Gemini, served on this machine: your words are sent there. The price depends on the length"
    #expect(told.first?.hasPrefix(notice) == true)
    #expect(told.contains("Completed! Found 3 places"))
    #expect(told.last == "atelier: 2 could not be verified and were left out: The Imaginary Bean; Café Nowhere")
  }

  @Test("atelier places prints the generation, GeoJSON or CSV")
  func formats() async throws {
    let json = try await run("coffee in Austin", "--json", "--limit", "2", "--near", "30.27,-97.74")
    let generation = try JSONValue(parsing: Array(json.output.utf8))
    #expect(generation["recipe"] == "places" && generation["places"]?.array?.count == 2, "\(json.errors)")
    let geojson = try await run("coffee in Austin", "--geojson")
    #expect(try JSONValue(parsing: Array(geojson.output.utf8))["features"]?.array?.count == 5)
    let csv = try await run("coffee in Austin", "--csv")
    #expect(csv.output.hasPrefix("name,streetAddress1,") && csv.output.split(separator: "\r\n").count == 1 + 5)
  }

  @Test("atelier places sends nothing without a geocoder, and names the setting")
  func noGeocoder() async throws {
    let outcome = try await run("coffee in Austin", geocoder: false)
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("geocoder.baseUrl") && !outcome.errors.contains("sent there"))
    #expect(simulator.requests.isEmpty)
  }

  @Test("atelier places --from looks places up in a list of one's own, and asks no geocoder")
  func ownList() async throws {
    let list = try directory.write("list.csv", Array("""
      name,city,latitude,longitude
      Houndstooth Coffee,Austin,30.2667,-97.7428
      Nowhere,,,
      """.utf8))
    let words = "Top coffee shops in Austin [[fault:tools:invented]]"
    let outcome = try await run(words, "--from", list, "--csv", geocoder: false)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.split(separator: "\r\n").dropFirst().map { $0.prefix(18) } == ["Houndstooth Coffee"])
    #expect(outcome.errors.contains("\(list):3: This place is left out: it has neither a position"))
    #expect(outcome.errors.contains("Places are looked up among the 1 of \(list), here."))
    #expect(!simulator.requests.contains { $0.path.contains("search") })
    let missing = try await run("coffee", "--from", directory.path("none.csv"), geocoder: false)
    #expect(missing.status == 1 && missing.errors.hasPrefix("atelier: The list of places cannot be read: There is no file"))
  }

  @Test("atelier places ends with 1 and a sentence when nothing can be verified")
  func nothing() async throws {
    simulator.always(ScenarioStep(Fault(name: "lookup:none"), model: "nominatim"))
    let outcome = try await run("coffee in Austin")
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("No place could be verified"))
  }
}
