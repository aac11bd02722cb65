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
    if request.variant == .full, request.maxSide != nil { throw JSONDecodingFailure.sizeOfStoredFile }
    let account = try caller.visibleAccount(naming: request.account)
    let store = try await generations.openStore()
    guard let row = try await store.generation(request.generationId, account: account) else {
      throw AtelierError.noGeneration(request.generationId.rawValue)
    }
    let image = try row.image(request.index ?? 0)
    let isThumbnail = request.variant == .thumbnail || request.maxSide != nil
    let picture = isThumbnail
      ? try await thumbnail(of: image, in: row, longestSide: request.maxSide ?? configuration.thumbnailSide, store)
      : ReadPicture(try await store.read(image.file), image.picture.mimeType, image.picture.width, image.picture.height)
    return try picture.slice(from: request.offset ?? 0)
  }

  /// A small JPEG: that of history if it has the size, and otherwise one made for the occasion.
  private func thumbnail(
    of image: KeptImage, in row: GenerationRow, longestSide: Int, _ store: Store
  ) async throws -> ReadPicture {
    if longestSide == configuration.thumbnailSide, image.picture.index == row.images.first?.index,
      let kept = row.thumbnail, let bytes = try? await store.read(kept), let sides = try? ReceivedPicture(bytes)
    {
      return ReadPicture(bytes, kept.mimeType, sides.width, sides.height)
    }
    let bytes = try await store.read(image.file)
    let made = try await imaging { try await worker.thumbnail(bytes, longestSide: longestSide) }
    return ReadPicture(made.bytes, made.mimeType, made.width, made.height)
  }
}

/// A picture whose file was kept.
private struct KeptImage {
  var picture: StoredImage
  var file: StoredArtifact
}

extension GenerationRow {
  /// - Throws: `not_finished`; `not_found` when there is no such picture or it was not kept.
  fileprivate func image(_ index: Int) throws(AtelierError) -> KeptImage {
    guard state.isFinal else {
      throw AtelierError(
        .notFinished, "The picture is still being made: watch the generation with generation/watch.", generationId: id,
        details: ["state": .string(state.rawValue)])
    }
    guard let picture = images.first(where: { $0.index == index }) else {
      throw AtelierError(
        .notFound, "The generation has no picture \(index): its images list those it has.", generationId: id)
    }
    guard let file = picture.artifact else {
      throw AtelierError(
        .notFound, "The pictures of a private generation are not kept: they were in the answer to its request.",
        generationId: id)
    }
    return KeptImage(picture: picture, file: file)
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
    path: "/maxSide", expected: "absent with the variant full",
    message: "/maxSide belongs to the variant thumbnail: leave it out to read the stored file.")

  fileprivate static func offsetBeyond(_ bytes: Int) -> JSONDecodingFailure {
    JSONDecodingFailure(
      path: "/offset", expected: "less than \(bytes), the size of the picture",
      message: "/offset must be less than \(bytes), the size of the picture. Use nextOffset of the previous slice.")
  }
}
