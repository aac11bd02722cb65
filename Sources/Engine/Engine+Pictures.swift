import AtelierProtocol
import Imaging

/// The pictures of generations, and what they would cost.
extension Engine {
  /// The bytes of a picture as its provider delivered them.
  /// - Throws: `not_found` when this caller sees no such generation, or when the picture is not kept.
  public func picture(_ id: GenerationID, index: Int, for caller: Caller) async throws -> [UInt8] {
    _ = try await generations.openStore()
    let photos = PhotoSource(
      lazyStore: lazyStore, maximumBytes: configuration.maximumPrepareBytes, readable: configuration.access.read)
    do {
      return try await photos.read(
        .generation(id, index: index),
        for: PictureAccess(account: try caller.account(naming: nil), isConfined: caller.isConfined))
    } catch {
      throw AtelierError(wrapping: error)
    }
  }

  /// A picture as a small JPEG.
  /// - Parameters:
  ///   - longestSide: the most pixels of its longest side; fewer if it would be larger than `maximumBytes`.
  /// - Throws: `not_found`, or why the worker could not make it.
  public func preview(
    _ id: GenerationID, index: Int, longestSide: Int, maximumBytes: Int, for caller: Caller
  ) async throws -> [UInt8] {
    let bytes = try await picture(id, index: index, for: caller)
    var side = longestSide
    while true {
      let preview = try await worker.thumbnail(bytes, longestSide: side).bytes
      if preview.count <= maximumBytes || side <= 64 { return preview }
      side = side * 3 / 4
    }
  }

  /// The same picture as `generate` takes it: a file that is too large, in bytes or pixels, is prepared and kept.
  /// - Throws: the file's or the picture's fault.
  public func fitting(_ source: ImageSource, for caller: Caller) async throws -> ImageSource {
    guard case .path(let path) = source else { return source }
    do {
      let readable = caller.isConfined ? configuration.access.read : nil
      let bytes = try await imaging {
        try await PhotoFile.read(path, maximumBytes: configuration.maximumImageBytes, within: readable)
      }
      let info = try await imaging { try await worker.probe(bytes) }
      if max(info.width, info.height) <= ImageLimits.generation.maximumSide { return source }
    } catch let error as AtelierError where error.kind == .imageTooLarge {}
    return .prepared(try await prepare(ImagePrepare(image: source), for: caller).preparedId)
  }

  /// The most credits that a request may cost, whether or not its account is metered: where it is not, somebody pays the
  /// provider for as many pictures.
  /// - Throws: what `generate` would throw.
  public func price(of request: Generate, for caller: Caller) async throws -> Int {
    let asked = try await providers(for: request, of: caller)
    return request.pictureCount * (asked.map { configuration.credits.costs.perPicture(by: $0, for: request) }.max() ?? 0)
  }
}
