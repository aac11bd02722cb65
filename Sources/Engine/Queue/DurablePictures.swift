import AtelierProtocol
import JSONRPC
import Store

/// The pictures of a request that is to wait, made ready and kept: whatever becomes of the host's files meanwhile, and
/// however long it takes.
struct DurablePictures: Sendable {
  /// The params that name them.
  let request: JSONObject
  let inputs: [PreparedKeeping]

  /// Prepares every picture of a request and stages those that the store has not.
  /// - Parameter lifetimeMs: how long they are kept at most, in milliseconds; the generation's end comes before.
  /// - Throws: `AtelierError`: the fault of the file, the data or the picture, `storage_full`. Nothing is left then.
  init(
    of work: GenerationWork, intake: PhotoIntake, store: Store, surroundings: Surroundings, lifetimeMs: Int64
  ) async throws {
    var inputs: [PreparedKeeping] = []
    do {
      let request = try await work.request.renamingPictures { source, reference in
        let photo = try await intake.prepared(source, account: work.account)
        let kept: ArtifactSource
        if let stored = photo.stored {
          kept = .stored(stored)
        } else {
          kept = .staged(try await store.stage(photo.image.bytes, mimeType: photo.image.mimeType))
        }
        let id = PreparedID(rawValue: surroundings.makeIdentifier("prep_"))
        inputs.append(
          PreparedKeeping(
            id: id, account: work.account, generation: work.id, reference: reference, source: kept,
            width: photo.image.width, height: photo.image.height, lifetimeMs: lifetimeMs))
        return .prepared(id)
      }
      self.request = try request.params()
      self.inputs = inputs
    } catch {
      for input in inputs { await store.discard(input.source) }
      throw error
    }
  }
}
