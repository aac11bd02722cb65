import AtelierProtocol
import Imaging
import Store

/// Makes the small picture that history shows of a generation.
struct ThumbnailMaker: Sendable {
  let door: StoreDoor
  let worker: ImagingWorker
  /// Of a thumbnail, in pixels.
  let longestSide: Int

  /// Makes one of the first picture of a generation that has ended, and keeps it.
  /// - Throws: what the worker or the store throws; the generation is as complete without.
  func make(for id: GenerationID) async throws {
    let store = try await door.store()
    guard let artifact = try await store.generation(id, account: nil)?.images.first?.artifact else { return }
    let thumbnail = try await worker.thumbnail(try await store.read(artifact), longestSide: longestSide)
    try Task.checkCancellation()
    try await store.keepThumbnail(try await store.stage(thumbnail.bytes, mimeType: thumbnail.mimeType), for: id)
  }
}
