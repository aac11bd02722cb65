import AtelierProtocol

/// Answers whether a place exists: the host, or a geocoder.
public protocol LocationSource: Sendable {
  var kind: PlaceSource { get }

  /// All places that there are, a line for each, if they are few enough for a model to choose from; else nil.
  var listing: String? { get }

  /// The places that fit a query, best first; empty when there is none.
  ///
  /// Cancelling the task ends the lookup within a few milliseconds.
  /// - Throws: any error when there is no answer, or none that can be understood; `CancellationError`.
  func places(for query: LocationQuery) async throws -> [FoundPlace]
}

extension LocationSource {
  public var listing: String? { nil }
}

extension SearchArea {
  /// Nil for an area in words.
  var coordinate: Coordinate? { if case .coordinate(let coordinate) = self { coordinate } else { nil } }
}
