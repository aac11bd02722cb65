import AtelierProtocol
import Encodings
import Imaging
import JSON
import Store

/// Pictures of generations as bytes, for hosts that cannot read the files.
extension Engine {
  /// Carries out `image/read`.
  /// - Throws: `not_found`, `not_finished`, `permission_denied`, what the worker or the store throws; invalid params for
  ///   an offset beyond the picture, or a size or a watermark for the stored file.
  public func readImage(_ request: ImageRead, for caller: Caller) async throws -> ImageRead.Result {
    if [.full, .matte].contains(request.variant), request.maxSide != nil { throw JSONDecodingFailure.sizeOfStoredFile }
    if let sheet = request.sheet { return try await readSheet(sheet, request, for: caller) }
    let isMarked = request.watermark ?? false
    if isMarked, [.full, .matte].contains(request.variant) { throw JSONDecodingFailure.watermarkOfStoredFile }
    if request.variant == .original {
      let photo = try await original(of: request.generationId, account: try caller.visibleAccount(naming: request.account))
      return try await picture(
        photo, longestSide: isMarked ? request.maxSide ?? configuration.thumbnailSide : request.maxSide,
        watermark: isMarked ? try watermark(for: request.generationId) : nil
      ).slice(from: request.offset ?? 0)
    }
    let kept = try await keptPicture(
      request.generationId, index: request.index ?? 0, of: try caller.visibleAccount(naming: request.account))
    let store = try await lazyStore.store()
    if request.variant == .matte {
      let matte = try kept.matte()
      return try ReadPicture(try await store.read(matte), matte.mimeType, kept.image.width, kept.image.height)
        .slice(from: request.offset ?? 0)
    }
    let isThumbnail = request.variant == .thumbnail || request.maxSide != nil || isMarked
    let picture = isThumbnail
      ? try await thumbnail(
        of: kept, longestSide: request.maxSide ?? configuration.thumbnailSide,
        watermark: isMarked ? try watermark(for: request.generationId) : nil, store)
      : ReadPicture(try await store.read(kept.file), kept.image.mimeType, kept.image.width, kept.image.height)
    return try picture.slice(from: request.offset ?? 0)
  }

  private func readSheet(
    _ sheet: PrintSheet, _ request: ImageRead, for caller: Caller
  ) async throws -> ImageRead.Result {
    guard request.maxSide == nil, request.watermark != true, request.variant ?? .full == .full else {
      throw JSONDecodingFailure.sheetOfAnother
    }
    let made = try await self.sheet(
      sheet, of: request.generationId, index: request.index ?? 0,
      account: try caller.visibleAccount(naming: request.account))
    return try ReadPicture(made.bytes, made.format.mimeType, made.width, made.height).slice(from: request.offset ?? 0)
  }

  /// The photo, or the earlier picture, that a generation works from.
  /// - Throws: `not_found` when there was none or it was private; `input_expired`.
  private func original(of id: GenerationID, account: AccountID?) async throws -> [UInt8] {
    let row = try await lazyStore.store().existingGeneration(id, of: account)
    guard !row.isPrivate, let recorded = row.request["image"] else {
      throw AtelierError(
        .notFound, hint: "The generation “\(id.rawValue)” has no photo, or was private.", generationId: id)
    }
    let photos = parts.intake.photos
    return try await photos.read(try await photos.kept(recorded, of: row), for: .ofStore(row.account))
  }

  /// The operator's watermark.
  /// - Throws: `not_found` when there is none.
  private func watermark(for id: GenerationID) throws -> WatermarkFile {
    guard let watermark = configuration.watermark else {
      throw AtelierError(
        .notFound, WatermarkFile.missing, hint: "Name the watermark's file with pictures.watermark in the configuration.",
        generationId: id)
    }
    return watermark
  }

  /// The picture as it is, or a small JPEG of it.
  private func picture(
    _ bytes: [UInt8], longestSide: Int?, watermark: WatermarkFile? = nil
  ) async throws -> ReadPicture {
    if let longestSide {
      let made = try await imaging {
        try await worker.thumbnail(bytes, longestSide: longestSide, watermark: watermark)
      }
      return ReadPicture(made.bytes, made.mimeType, made.width, made.height)
    }
    let picture = try ReceivedPicture(bytes)
    return ReadPicture(bytes, picture.mimeType, picture.width, picture.height)
  }

  /// A small JPEG: that of history if it has the size and no watermark is wanted, and otherwise one made for the occasion.
  private func thumbnail(
    of kept: KeptPicture, longestSide: Int, watermark: WatermarkFile?, _ store: Store
  ) async throws -> ReadPicture {
    if watermark == nil, longestSide == configuration.thumbnailSide, kept.image.index == kept.row.images.first?.index,
      let file = kept.row.thumbnail, let bytes = try? await store.read(file), let sides = try? ReceivedPicture(bytes)
    {
      return ReadPicture(bytes, file.mimeType, sides.width, sides.height)
    }
    return try await picture(try await store.read(kept.file), longestSide: longestSide, watermark: watermark)
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

  fileprivate static let sheetOfAnother = JSONDecodingFailure(
    path: "/sheet", expected: "absent with another variant than full, and with maxSide and watermark",
    message: "/sheet belongs to the stored file: leave variant, maxSide and watermark out.")

  fileprivate static let watermarkOfStoredFile = JSONDecodingFailure(
    path: "/watermark", expected: "absent or false with the variants full and matte",
    message: "/watermark belongs to small pictures: leave it out to read the stored file.")

  fileprivate static func offsetBeyond(_ bytes: Int) -> JSONDecodingFailure {
    JSONDecodingFailure(
      path: "/offset", expected: "less than \(bytes), the size of the picture",
      message: "/offset must be less than \(bytes), the size of the picture. Use nextOffset of the previous slice.")
  }
}
