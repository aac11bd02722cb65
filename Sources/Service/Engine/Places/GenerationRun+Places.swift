import AtelierProtocol
import Providers

extension GenerationRun {
  /// Finds the places of a request.
  /// - Throws: as ``make(_:report:)``.
  func find(_ work: GenerationWork, deadline: Deadline, report: @escaping Report) async throws -> Delivery {
    await report(.whole(ImageProgress(phase: .preparing, message: PlacesRun.firstMessage)))
    let verification = PlaceVerification(
      work.request, of: work.id, sources: try sources(for: work), surroundings: parts.surroundings)
    let bill = PlacesRun.Bill()
    let run = PlacesRun(
      lineup: work.lineup, request: work.request, calls: calls(for: work, deadline), verification: verification,
      listing: work.locationSource?.listing, bill: bill
    ) { await report(.picture(0, $0)) }
    let outcome = try await run.find()
    var delivery = Delivery()
    let maker = work.lineup.asked.first { $0.id == outcome.provider } ?? work.provider
    delivery.list = Delivery.PlaceList(
      places: outcome.places, dropped: outcome.dropped, isComplete: outcome.failure == nil,
      credits: parts.configuration.credits.costs.perPicture(by: maker, for: work.request))
    delivery.provider = maker.id
    delivery.providers = [maker.id]
    delivery.model = await bill.model
    delivery.usage = await bill.usage
    for warning in await verification.warnings { delivery.add(warning) }
    for error in work.lineup.passedOver + outcome.passedOver { delivery.add(Warning(passingOver: error)) }
    if let failure = outcome.failure {
      delivery.failures = [ImageFailure(index: 0, error: failure.about(work.id).body(at: parts.surroundings.now()))]
    }
    let count = outcome.places.count
    await report(
      .whole(
        ImageProgress(
          phase: .saving, message: "Completed! Found \(count) \(count == 1 ? "place" : "places")", fraction: 1)))
    return delivery
  }

  /// Who answers the lookups of a generation, in the order in which they are asked: the host of this process, if the
  /// request came from it and it answers lookups, then the operator's geocoder.
  private func sources(for work: GenerationWork) throws(AtelierError) -> [any LocationSource] {
    let geocoder = parts.geocoder.map { geocoder in
      GeocoderSource(
        geocoder: geocoder, store: store, surroundings: parts.surroundings,
        cooldownMs: parts.configuration.cooldownMs)
    }
    let sources: [any LocationSource] = [work.locationSource, geocoder].compactMap(\.self)
    if sources.isEmpty { throw .noLocationSource }
    return sources
  }
}

extension AtelierError {
  /// The refusal of places where neither a geocoder nor the host looks them up.
  public static let noLocationSource = AtelierError(
    .unsupportedByProvider,
    "Places cannot be looked up here.",
    hint: "Configure a geocoder (geocoder.baseUrl), or let the host answer location/search.",
    details: ["reason": "no_location_source"])
}
