import AtelierProtocol
import Encodings
import Imaging
import Store

extension Engine {
  /// Prepares a photo and keeps it for `generate`, or returns it.
  /// - Throws: the photo's fault, `storage_full`, `permission_denied`, `consent_required`.
  public func prepare(_ request: ImagePrepare, for caller: Caller) async throws -> ImagePrepare.Result {
    let account = try caller.account(naming: request.account)
    try await parts.requireConsent(of: account)
    let access = PictureAccess(account: account, isConfined: caller.isConfined)
    let bytes = try await preparablePhotos.read(request.image, for: access)
    let prepared = try await prepared(bytes, longestSide: request.longestSide)
    let image = prepared.image
    var result = ImagePrepare.Result(
      width: image.width, height: image.height, bytes: image.bytes.count, mimeType: image.mimeType,
      original: ImagePrepare.Original(
        width: prepared.original.width, height: prepared.original.height, bytes: prepared.original.bytes,
        mimeType: prepared.original.mimeType),
      changes: prepared.changes.map(\.rawValue),
      warnings: prepared.warnings.isEmpty ? nil : prepared.warnings.map { Warning(kind: $0.kind, message: $0.message) })
    if request.inline == true {
      result.data = Base64.encoded(image.bytes)
    } else {
      let kept = try await keep(image, of: account)
      result.preparedId = kept.id
      result.expiresAt = kept.expires
    }
    return result
  }

  /// The same request with pictures that `generate` takes: a file or an inline picture that is too large, in bytes or
  /// pixels, is prepared with all the detail that fits. What is prepared stays in memory and leaves no file.
  /// - Throws: a picture's fault; `permission_denied`; `consent_required`; `CancellationError`.
  public func fitting(_ request: Generate, for caller: Caller) async throws -> Generate {
    let account = try caller.account(naming: request.account)
    if !request.pictures.isEmpty { try await parts.requireConsent(of: account) }
    let access = PictureAccess(account: account, isConfined: caller.isConfined)
    let photos = preparablePhotos
    return try await request.renamingPictures { source, _ in
      switch source {
      case .generation, .prepared: return source
      case .path, .data:
        let bytes = try await photos.read(source, for: access)
        guard isTooLarge(bytes) else { return source }
        let image = try await prepared(bytes, longestSide: ImageLimits.generation.maximumSide).image
        guard let inline = InlineImage(base64: Base64.encoded(image.bytes), mimeType: image.mimeType) else {
          throw AtelierError(.internal)
        }
        return .data(inline)
      }
    }
  }

  /// The pictures of `image/prepare`, which may be larger than those of `generate`.
  private var preparablePhotos: PhotoSource {
    PhotoSource(
      lazyStore: lazyStore, maximumBytes: configuration.maximumPrepareBytes, readable: configuration.access.read)
  }

  /// Whether `generate` refuses the picture because of its size. What is wrong with it otherwise, `generate` says itself.
  private func isTooLarge(_ bytes: [UInt8]) -> Bool {
    guard bytes.count <= configuration.maximumImageBytes else { return true }
    do throws(ReceivedPicture.Problem) {
      _ = try ReceivedPicture(bytes, limits: .generation, mayLackEnd: true)
      return false
    } catch {
      if case .tooLarge = error { return true }
      return false
    }
  }

  private func prepared(_ bytes: [UInt8], longestSide: Int?) async throws -> PreparedImage {
    let job = PrepareJob(longestSide: longestSide, maximumGenerateBytes: configuration.maximumImageBytes)
    return try await imaging { try await worker.prepare(bytes, options: job) }
  }

  private func keep(_ image: EncodedImage, of account: AccountID) async throws -> PreparedInput {
    let store = try await lazyStore.store()
    await generations.maintenance.begin()
    let staged = try await store.stage(image.bytes, mimeType: image.mimeType)
    do {
      return try await store.keepPrepared(
        PreparedKeeping(
          id: PreparedID(rawValue: surroundings.makeIdentifier("prep_")), account: account, artifact: staged,
          width: image.width, height: image.height, lifetimeMs: configuration.preparedLifetimeMs))
    } catch {
      await store.discard(staged)
      throw error
    }
  }
}

extension PrepareJob {
  /// The job for a longest side that a host has chosen; nil for the small form that providers elsewhere receive.
  ///
  /// A larger picture is the source of a headshot. Its first quality is the lowest at which libvips keeps the full
  /// resolution of the colours; it is reduced where the file would be too large.
  fileprivate init(longestSide: Int?, maximumGenerateBytes: Int) {
    self.init()
    guard let longestSide else { return }
    if longestSide > self.longestSide {
      quality = 90
      maximumBytes = maximumGenerateBytes
    }
    self.longestSide = longestSide
  }
}
