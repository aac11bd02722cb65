import AtelierProtocol
import Imaging
import Providers
import Store

/// An encoded picture, and its artifact if the store already has it.
typealias StoredBytes = (bytes: [UInt8], stored: StoredArtifact?)

/// Prepares a host's pictures: checked, upright, small, without metadata. Only pictures that are not so already go to
/// the worker.
struct PhotoIntake: Sendable {
  /// A picture ready to be sent, and its artifact if it is already stored.
  struct Photo: Sendable {
    var image: EncodedImage
    var stored: StoredArtifact?
    /// What the person should know about it.
    var warnings: [Warning] = []
  }

  let photos: PhotoSource
  let worker: ImagingWorker

  /// The picture in the form for providers elsewhere.
  /// - Throws: `AtelierError`: the fault of the file, the data or the picture.
  func prepared(_ source: ImageSource, for access: PictureAccess) async throws -> Photo {
    try await prepared(try await photos.readStored(source, for: access))
  }

  func prepared(_ original: StoredBytes) async throws -> Photo {
    let (bytes, stored) = original
    if let photo = ready(original) { return photo }
    let prepared = try await imaging { try await worker.prepare(bytes, options: PrepareJob(limits: .generation)) }
    return Photo(
      image: prepared.image, stored: prepared.changes.isEmpty ? stored : nil,
      warnings: prepared.warnings.map { Warning(kind: $0.kind, message: $0.message) })
  }

  /// The picture, if it already has the form for providers elsewhere.
  func ready(_ original: StoredBytes) -> Photo? {
    PlainPhoto(original.bytes, for: PrepareJob(limits: .generation)).map { plain in
      Photo(
        image: EncodedImage(bytes: original.bytes, format: plain.format, width: plain.width, height: plain.height),
        stored: original.stored)
    }
  }

  /// Starts the worker if one of the pictures will need it, so that nothing has to wait for the start later.
  func warmUp(for sources: [ImageSource], isConfined: Bool) async {
    for source in sources where await needsWorker(source, isConfined) { return await worker.warmUp() }
  }

  /// An unreadable picture is reported when it is used.
  private func needsWorker(_ source: ImageSource, _ isConfined: Bool) async -> Bool {
    let job = PrepareJob(limits: .generation)
    switch source {
    case .path(let path):
      do {
        let folders = isConfined ? photos.readable : nil
        return PlainPhoto(
          try await PhotoFile.read(path, maximumBytes: job.maximumBytes, within: folders), for: job) == nil
      } catch {
        return (error as? ImagingError)?.kind == .imageTooLarge
      }
    case .data(let data):
      return data.byteCount > job.maximumBytes || PlainPhoto(data.decoded(), for: job) == nil
    case .generation, .prepared:
      // These can nearly always be sent as they are stored; a definite answer would require a look into the store.
      return false
    }
  }

  /// The picture as the host gave it, for a provider on this machine.
  func original(_ source: ImageSource, for access: PictureAccess) async throws -> StoredBytes {
    try await photos.readStored(source, for: access)
  }

  /// Checks a picture that needs no prepared form.
  func check(_ bytes: [UInt8]) async throws {
    _ = try await imaging { try await worker.inspect(bytes, limits: .generation) }
  }
}

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
