import AtelierProtocol
import Engine
import JSON
import JSONRPC

/// Lets the host of a connection answer lookups of places.
struct HostLocationSearch: LocationSource {
  let kind = PlaceSource.host
  let connection: Connection

  func places(for query: LocationQuery) async throws -> [FoundPlace] {
    let message = LocationSearch(
      query: query.text, near: query.near, language: query.language, generationId: query.generationId)
    var answer = try await connection.request(LocationSearch.method, try JSONValueEncoder().encode(message))
    // A list of a hundred thousand would take seconds to decode.
    if case .object(var members) = answer, let places = members["places"]?.array, places.count > LocationSearch.mostPlaces {
      members["places"] = .array(Array(places.prefix(LocationSearch.mostPlaces)))
      answer = .object(members)
    }
    return try JSONValueDecoder(unknownMembers: .ignore).decode(LocationSearch.Result.self, from: answer).places
  }
}
