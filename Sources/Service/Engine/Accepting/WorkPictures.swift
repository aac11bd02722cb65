import AtelierProtocol
import Imaging
import Providers
import Store

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
