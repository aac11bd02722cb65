import AtelierProtocol
import Localization

extension ImageRequest {
  /// Refuses what only this machine makes: a model elsewhere returns its own picture, which is kept as it is.
  /// - Throws: `unsupported_by_provider`, which names the provider that can.
  func refuseWhatOnlyThisMachineMakes(at provider: ProviderID) throws(AtelierError) {
    func refuse(_ what: Sentence) -> AtelierError {
      AtelierError(
        .unsupportedByProvider,
        "\(what) Leave it out, or name the provider “\(ProviderID.ondevice.rawValue)” for a headshot.",
        provider: provider)
    }
    if style?.background == .transparent { throw refuse("This provider makes no transparent background.") }
    if style?.background == .keep {
      throw refuse("This provider makes a new picture, so it cannot keep the photo's background.")
    }
    if format != nil { throw refuse("This provider chooses the format of its pictures.") }
    switch crop {
    case .passport: throw refuse("This provider makes no photos for passports.")
    case .wholeFrame: throw refuse("This provider makes a new picture, so it cannot keep the frame of the photo.")
    case nil: break
    }
    if maximumBytes != nil || minimumBytes != nil { throw refuse("This provider chooses how large its files are.") }
    if wantsMatte { throw refuse("This provider returns no mattes.") }
    if quality != nil { throw refuse("This provider chooses the quality of its pictures.") }
  }
}
