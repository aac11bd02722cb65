import AtelierProtocol
import Encodings
import Imaging
import JSON
import Store

/// Pictures of generations as bytes, for hosts that cannot read the files.
extension Engine {
  /// Carries out `image/read`.
  /// - Throws: `not_found`, `not_finished`, `permission_denied`, what the worker or the store throws; invalid params for
  ///   an offset beyond the picture, or a size for the stored file.
  public func readImage(_ request: ImageRead, for caller: Caller) async throws -> ImageRead.Result {
    if let variant = request.variant, variant != .thumbnail, request.maxSide != nil {
      throw JSONDecodingFailure.sizeOfStoredFile
    }
    let kept = try await keptPicture(
      request.generationId, index: request.index ?? 0, of: try caller.visibleAccount(naming: request.account))
    let store = try await lazyStore.store()
    if request.variant == .matte {
      guard let matte = kept.row.matte(of: kept.image)?.artifact else {
        throw AtelierError(
          .notFound, "The picture has no matte.", hint: "Ask for it with output.matte when the picture is made.",
          generationId: request.generationId)
      }
      return try ReadPicture(try await store.read(matte), matte.mimeType, kept.image.width, kept.image.height)
        .slice(from: request.offset ?? 0)
    }
    let isThumbnail = request.variant == .thumbnail || request.maxSide != nil
    let picture = isThumbnail
      ? try await thumbnail(of: kept, longestSide: request.maxSide ?? configuration.thumbnailSide, store)
      : ReadPicture(try await store.read(kept.file), kept.image.mimeType, kept.image.width, kept.image.height)
    return try picture.slice(from: request.offset ?? 0)
  }

  /// A small JPEG: that of history if it has the size, and otherwise one made for the occasion.
  private func thumbnail(of kept: KeptPicture, longestSide: Int, _ store: Store) async throws -> ReadPicture {
    if longestSide == configuration.thumbnailSide, kept.image.index == kept.row.images.first?.index,
      let file = kept.row.thumbnail, let bytes = try? await store.read(file), let sides = try? ReceivedPicture(bytes)
    {
      return ReadPicture(bytes, file.mimeType, sides.width, sides.height)
    }
    let bytes = try await store.read(kept.file)
    let made = try await imaging { try await worker.thumbnail(bytes, longestSide: longestSide) }
    return ReadPicture(made.bytes, made.mimeType, made.width, made.height)
  }
}

/// The bytes of a picture, to be sent in slices.
private struct ReadPicture {
  var bytes: [UInt8]
  var mimeType: String
  var width: Int
  var height: Int

  init(_ bytes: [UInt8], _ mimeType: String, _ width: Int, _ height: Int) {
    (self.bytes, self.mimeType, self.width, self.height) = (bytes, mimeType, width, height)
  }

  /// - Throws: invalid params when the picture ends before `offset`.
  func slice(from offset: Int) throws -> ImageRead.Result {
    guard offset < bytes.count else { throw JSONDecodingFailure.offsetBeyond(bytes.count) }
    let end = min(bytes.count, offset + ImageRead.maximumSliceBytes)
    return ImageRead.Result(
      data: Base64.encoded(Array(bytes[offset..<end])), mimeType: mimeType, width: width, height: height,
      bytes: bytes.count, offset: offset, nextOffset: end < bytes.count ? end : nil)
  }
}

extension JSONDecodingFailure {
  fileprivate static let sizeOfStoredFile = JSONDecodingFailure(
    path: "/maxSide", expected: "absent with the variants full and matte",
    message: "/maxSide belongs to the variant thumbnail: leave it out to read the stored file.")

  fileprivate static func offsetBeyond(_ bytes: Int) -> JSONDecodingFailure {
    JSONDecodingFailure(
      path: "/offset", expected: "less than \(bytes), the size of the picture",
      message: "/offset must be less than \(bytes), the size of the picture. Use nextOffset of the previous slice.")
  }
}
