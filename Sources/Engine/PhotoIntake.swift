import AtelierProtocol
import Imaging
import Store

/// Makes a host's pictures ready: checked, upright, small, without metadata; the worker is asked only for those that are
/// not so already.
struct PhotoIntake: Sendable {
  /// A picture ready to be sent, and where its bytes are kept already, if they are.
  struct Photo: Sendable {
    var image: EncodedImage
    var stored: StoredArtifact?
  }

  let photos: PhotoSource
  let worker: ImagingWorker

  /// The picture as it goes to providers elsewhere (REQUIREMENTS 2.4).
  /// - Throws: `AtelierError`: the fault of the file, the data or the picture.
  func prepared(_ source: ImageSource, account: AccountID) async throws -> Photo {
    let (bytes, stored) = try await photos.readStored(source, account: account)
    let job = PrepareJob(limits: .generation)
    if let plain = PlainPhoto(bytes, for: job) {
      return Photo(
        image: EncodedImage(bytes: bytes, format: plain.format, width: plain.width, height: plain.height),
        stored: stored)
    }
    let prepared = try await imaging { try await worker.prepare(bytes, options: job) }
    return Photo(image: prepared.image, stored: prepared.changes.isEmpty ? stored : nil)
  }

  /// Starts the worker when one of the pictures will need it, so that nothing has to wait for that later.
  func warmUp(for sources: [ImageSource]) async {
    for source in sources where await needsWorker(source) { return await worker.warmUp() }
  }

  /// What cannot be read is told when it is wanted.
  private func needsWorker(_ source: ImageSource) async -> Bool {
    let job = PrepareJob(limits: .generation)
    switch source {
    case .path(let path):
      do {
        return PlainPhoto(try await PhotoFile.read(path, maximumBytes: job.maximumBytes), for: job) == nil
      } catch {
        return (error as? ImagingError)?.kind == .imageTooLarge
      }
    case .data(let data):
      return data.byteCount > job.maximumBytes || PlainPhoto(data.decoded(), for: job) == nil
    case .generation, .prepared:
      // Nearly always they can be sent as they are kept; to know, one would have to look into the store.
      return false
    }
  }

  /// The picture as the host gave it, for a provider on this machine.
  func original(_ source: ImageSource, account: AccountID) async throws -> [UInt8] {
    try await photos.read(source, account: account)
  }

  /// Checks a picture of which no prepared form is wanted (REQUIREMENTS 2.3).
  func check(_ bytes: [UInt8]) async throws {
    _ = try await imaging { try await worker.probe(bytes, limits: .generation) }
  }
}

extension PhotoIntake.Photo {
  /// The picture as an input that is kept for the work, staged where the store has it not yet.
  /// - Parameter reference: which of the pictures to go by it is; nil for the photo.
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
