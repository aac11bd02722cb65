import AtelierProtocol
import Store

extension Engine {
  /// Carries out `image/link`.
  /// - Throws: `permission_denied`, `not_found`, `not_finished`, and what the store throws.
  public func linkImage(_ request: ImageLink, for caller: Caller) async throws -> ImageLink.Result {
    let account = try caller.visibleAccount(naming: request.account)
    guard configuration.givesLinks else { throw Self.noLinks(to: request.generationId) }
    let kept = try await keptPicture(request.generationId, index: request.index ?? 0, of: account)
    let file = request.variant == .matte ? try kept.matte() : kept.file
    // A row names it, so it is in the bucket: files are put before that.
    guard let link = try await lazyStore.store().link(to: file, forSeconds: ImageLink.lifetimeSeconds) else {
      throw Self.noLinks(to: request.generationId)
    }
    return ImageLink.Result(
      url: link.url, expiresAt: link.expires, mimeType: file.mimeType, width: kept.image.width, height: kept.image.height,
      bytes: file.bytes, sha256: file.sha256)
  }

  private static func noLinks(to id: GenerationID) -> AtelierError {
    AtelierError(
      .permissionDenied, "This service gives no links to pictures.",
      hint: "Read the picture with image/read. Whoever runs the service can allow links to pictures in a bucket, with "
        + "artifacts.presignedLinks.", generationId: id)
  }
}
