import AtelierProtocol
import Imaging
import JSON
import POSIX
import Providers
import Store

/// Which pictures a request may use.
struct PictureAccess: Sendable {
  /// The account whose results and prepared photos these are.
  var account: AccountID
  /// Whether files are read only in the folders that the operator has opened.
  var isConfined: Bool
}

/// An encoded picture, and its artifact if the store already has it.
typealias StoredBytes = (bytes: [UInt8], stored: StoredArtifact?)

/// Finds the bytes an `Image` refers to: a file, inline data, an earlier result, a prepared input.
struct PhotoSource: Sendable {
  let lazyStore: LazyStore
  /// The maximum size of a picture in bytes.
  var maximumBytes: Int
  /// The folders whose files confined connections may read.
  let readable: AllowedFolders

  /// Refuses sources that are recognisably wrong without reading or decoding anything.
  /// - Throws: `AtelierError`: the file's or data's fault, `not_found`, `input_expired`.
  func check(_ source: ImageSource, for access: PictureAccess) async throws {
    switch source {
    case .path(let path):
      try await imaging {
        try await PhotoFile.check(path, maximumBytes: maximumBytes, within: access.isConfined ? readable : nil)
      }
    case .data(let data):
      guard data.byteCount <= maximumBytes else { throw tooLarge(data.byteCount) }
    case .generation, .prepared:
      _ = try await artifact(of: source, account: access.account)
    }
  }

  /// The encoded picture.
  /// - Throws: as ``check(_:for:)``.
  func read(_ source: ImageSource, for access: PictureAccess) async throws -> [UInt8] {
    try await readStored(source, for: access).bytes
  }

  /// The encoded picture.
  /// - Throws: as ``check(_:for:)``.
  func readStored(_ source: ImageSource, for access: PictureAccess) async throws -> StoredBytes {
    switch source {
    case .path(let path):
      let bytes = try await imaging {
        try await PhotoFile.read(path, maximumBytes: maximumBytes, within: access.isConfined ? readable : nil)
      }
      return (bytes, nil)
    case .data(let data):
      guard data.byteCount <= maximumBytes else { throw tooLarge(data.byteCount) }
      return (data.decoded(), nil)
    case .generation, .prepared:
      let artifact = try await artifact(of: source, account: access.account)
      return (try await lazyStore.store().read(artifact), artifact)
    }
  }

  private func artifact(of source: ImageSource, account: AccountID) async throws -> StoredArtifact {
    let store = try await lazyStore.store()
    switch source {
    case .generation(let id, let index):
      guard let row = try await store.generation(id, account: account) else {
        throw AtelierError(.notFound, "There is no generation “\(id.rawValue)” in this account.")
      }
      guard let image = row.images.first(where: { $0.index == index ?? 0 }) else {
        throw AtelierError(.notFound, "The generation “\(id.rawValue)” has no image \(index ?? 0).")
      }
      guard let artifact = image.artifact else {
        throw AtelierError(.notFound, "The generation “\(id.rawValue)” was private: its images were not kept.")
      }
      return artifact
    case .prepared(let id):
      switch try await store.prepared(id, account: account) {
      case .found(let input): return input.artifact
      case .expired:
        throw AtelierError(.inputExpired, "The prepared image is no longer kept. Prepare the photo again.")
      case .notFound:
        throw AtelierError(.notFound, "There is no prepared image “\(id.rawValue)” in this account.")
      }
    case .path, .data:
      throw AtelierError(.internal, "A file or inline data is not kept in the store.")
    }
  }

  private func tooLarge(_ bytes: Int) -> AtelierError {
    .tooLarge("The picture", bytes: bytes, maximumBytes: maximumBytes)
  }
}

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

  fileprivate func prepared(_ original: StoredBytes) async throws -> Photo {
    let (bytes, stored) = original
    if let photo = ready(original) { return photo }
    let prepared = try await imaging { try await worker.prepare(bytes, options: PrepareJob(limits: .generation)) }
    return Photo(
      image: prepared.image, stored: prepared.changes.isEmpty ? stored : nil,
      warnings: prepared.warnings.map { Warning(kind: $0.kind, message: $0.message) })
  }

  /// The picture, if it already has the form for providers elsewhere.
  fileprivate func ready(_ original: StoredBytes) -> Photo? {
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
    _ = try await imaging { try await worker.probe(bytes, limits: .generation) }
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

/// The pictures a generation works from, in the form each provider receives: unchanged for a provider on this machine,
/// small and clean for one elsewhere.
struct WorkPictures: Sendable {
  let intake: PhotoIntake
  let work: GenerationWork
  /// Nil when no provider elsewhere will be asked and nothing is kept, or while ``awaitsPreparation``.
  private(set) var photo: PhotoIntake.Photo?
  /// Whether the photo will be kept, but has to be prepared first: the provider does so by the way, as it decodes the
  /// photo anyhow.
  private(set) var awaitsPreparation = false
  /// Reference pictures, in addition to the photo.
  private(set) var references: [PhotoIntake.Photo] = []
  /// The photo as the host gave it, if the provider that is asked first works on this machine.
  private var original: StoredBytes?

  /// Reads and checks all pictures.
  /// - Parameter keepsPhoto: whether the prepared photo will be kept.
  init(of work: GenerationWork, intake: PhotoIntake, keepsPhoto: Bool) async throws {
    self.intake = intake
    self.work = work
    let isLocal = work.provider.profile.isLocal
    if let source = work.request.image {
      if isLocal {
        let original = try await intake.original(source, for: work.pictureAccess)
        self.original = original
        photo = keepsPhoto ? intake.ready(original) : nil
        awaitsPreparation = keepsPhoto && photo == nil
        if photo == nil { try await intake.check(original.bytes) }
      } else {
        photo = try await intake.prepared(source, for: work.pictureAccess)
      }
    }
    for reference in work.request.references ?? [] {
      references.append(try await intake.prepared(reference, for: work.pictureAccess))
    }
    if let path = work.template?.reference {
      do {
        // The operator's own file.
        references.append(
          try await intake.prepared(.path(path), for: PictureAccess(account: work.account, isConfined: false)))
      } catch let error as AtelierError {
        throw AtelierError(templatePictureUnusable: work.request.templateId ?? "", because: error)
      }
    }
  }

  /// The request with the pictures in the form for `provider`.
  func filled(_ request: ImageRequest, for provider: any ImageProvider) async throws -> ImageRequest {
    var request = request
    request.references = references.map(\.image.bytes)
    request.pictureWarnings = references.flatMap(\.warnings)
    guard let source = work.request.image else { return request }
    if provider.profile.isLocal {
      if let original {
        request.photo = original.bytes
      } else {
        request.photo = try await intake.original(source, for: work.pictureAccess).bytes
      }
    } else {
      let photo = try await preparedPhoto(source)
      request.photo = photo.image.bytes
      request.pictureWarnings = photo.warnings + request.pictureWarnings
    }
    return request
  }

  /// The photo for providers elsewhere, from what was read once: the file may be another one by now.
  private func preparedPhoto(_ source: ImageSource) async throws -> PhotoIntake.Photo {
    if let photo { return photo }
    if let original { return try await intake.prepared(original) }
    return try await intake.prepared(source, for: work.pictureAccess)
  }

  /// The same pictures with the photo to keep.
  /// - Parameter image: the prepared photo that the provider returned; nil if it did not.
  func prepared(by image: EncodedImage?) async throws -> WorkPictures {
    guard awaitsPreparation, let source = work.request.image else { return self }
    var pictures = self
    pictures.awaitsPreparation = false
    if let image {
      pictures.photo = PhotoIntake.Photo(image: image)
    } else {
      pictures.photo = try await preparedPhoto(source)
    }
    return pictures
  }

  /// Digests of what the first provider works from, which identify identical requests.
  var digests: (photo: String?, references: [String]) {
    (original.map { StoredArtifact.digest($0.bytes) } ?? photo?.digest, references.map(\.digest))
  }
}

extension PhotoIntake.Photo {
  /// The SHA-256 of the bytes, in hexadecimal.
  fileprivate var digest: String { stored?.sha256 ?? StoredArtifact.digest(image.bytes) }
}
