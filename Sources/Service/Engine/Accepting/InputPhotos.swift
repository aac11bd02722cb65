import AtelierProtocol
import Store

/// An encoded picture, and its artifact if the store already has it.
typealias StoredBytes = (bytes: [UInt8], stored: StoredArtifact?)

extension PhotoIntake.Photo {
  /// The picture as an input kept for the work, staged unless the store already has it.
  /// - Parameter reference: its position among the reference pictures; nil for the photo.
  func kept(
    for work: GenerationWork, as reference: Int?, in store: Store, surroundings: Surroundings, lifetimeMs: Int64
  ) async throws -> PreparedKeeping {
    let source: ArtifactSource
    if let stored {
      source = .stored(stored)
    } else {
      source = .staged(try await store.stage(image.bytes, mimeType: image.mimeType))
    }
    return PreparedKeeping(
      id: PreparedID(rawValue: surroundings.makeIdentifier("prep_")), account: work.account, generation: work.id,
      reference: reference, source: source, width: image.width, height: image.height, lifetimeMs: lifetimeMs)
  }
}

extension PhotoIntake.Photo {
  /// The SHA-256 of the bytes, in hexadecimal.
  var digest: String { stored?.sha256 ?? StoredArtifact.digest(image.bytes) }
}
