import AtelierProtocol
import Imaging
import Providers
import Store

/// The pictures a generation works from, in the form each provider gets them: as they are for one on this machine, made
/// small and clean for one elsewhere.
struct WorkPictures: Sendable {
  let intake: PhotoIntake
  let work: GenerationWork
  /// Nil when no provider elsewhere is to be asked and nothing is kept.
  private(set) var photo: PhotoIntake.Photo?
  /// Pictures to go by, beside the photo.
  private(set) var references: [PhotoIntake.Photo] = []
  /// The bytes as they were given, while the provider that is asked first works on this machine.
  private var original: [UInt8]?

  /// Reads and checks them all.
  /// - Parameter keepsPhoto: whether the prepared photo is wanted to be kept.
  init(of work: GenerationWork, intake: PhotoIntake, keepsPhoto: Bool) async throws {
    self.intake = intake
    self.work = work
    let isLocal = work.provider.profile.isLocal
    if let source = work.request.image {
      if isLocal { original = try await intake.original(source, account: work.account) }
      if !isLocal || keepsPhoto {
        photo = try await intake.prepared(source, account: work.account)
      } else if let original {
        try await intake.check(original)
      }
    }
    for reference in work.request.references ?? [] {
      references.append(try await intake.prepared(reference, account: work.account))
    }
    if let path = work.template?.reference {
      do {
        references.append(try await intake.prepared(.path(path), account: work.account))
      } catch let error as AtelierError {
        throw AtelierError(templatePictureUnusable: work.request.template ?? "", because: error)
      }
    }
  }

  /// The request with the pictures as `provider` gets them.
  func filled(_ request: ImageRequest, for provider: any ImageProvider) async throws -> ImageRequest {
    var request = request
    request.references = references.map(\.image.bytes)
    guard let source = work.request.image else { return request }
    if provider.profile.isLocal {
      request.photo = original == nil ? try await intake.original(source, account: work.account) : original
    } else if let photo {
      request.photo = photo.image.bytes
    } else {
      request.photo = try await intake.prepared(source, account: work.account).image.bytes
    }
    return request
  }

  /// What the provider that is asked first works from, as an identical request is known by it.
  var digests: (photo: String?, references: [String]) {
    (original.map(StoredArtifact.digest) ?? photo?.digest, references.map(\.digest))
  }
}

extension PhotoIntake.Photo {
  /// The SHA-256 of the bytes, in hexadecimal.
  fileprivate var digest: String { stored?.sha256 ?? StoredArtifact.digest(image.bytes) }
}
