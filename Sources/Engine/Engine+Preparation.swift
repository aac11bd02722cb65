import AtelierProtocol
import Imaging
import Store

extension Engine {
  /// Prepares a photo and keeps it for `generate`.
  /// - Throws: the photo's fault, `storage_full`, `permission_denied`.
  public func prepare(_ request: ImagePrepare, for caller: Caller) async throws -> ImagePrepare.Result {
    let account = try caller.account(naming: request.account)
    let photos = PhotoSource(
      lazyStore: lazyStore, maximumBytes: configuration.maximumPrepareBytes, readable: configuration.access.read)
    let bytes = try await photos.read(
      request.image, for: PictureAccess(account: account, isConfined: caller.isConfined))
    let prepared = try await imaging { try await worker.prepare(bytes) }
    let store = try await generations.openStore()
    await generations.beginMaintenance()
    let image = prepared.image
    let staged = try await store.stage(image.bytes, mimeType: image.mimeType)
    let kept: PreparedInput
    do {
      kept = try await store.keepPrepared(
        PreparedKeeping(
          id: PreparedID(rawValue: surroundings.makeIdentifier("prep_")), account: account, artifact: staged,
          width: image.width, height: image.height, lifetimeMs: configuration.preparedLifetimeMs))
    } catch {
      await store.discard(staged)
      throw error
    }
    return ImagePrepare.Result(
      preparedId: kept.id, width: image.width, height: image.height, bytes: image.bytes.count,
      mimeType: image.mimeType,
      original: ImagePrepare.Original(
        width: prepared.original.width, height: prepared.original.height, bytes: prepared.original.bytes,
        mimeType: prepared.original.mimeType),
      changes: prepared.changes.map(\.rawValue), expiresAt: kept.expires)
  }
}
