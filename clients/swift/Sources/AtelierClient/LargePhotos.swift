import AtelierProtocol
import Encodings
import JSON
import POSIX
import PictureFiles

/// Photos that are too large for `generate`: the service prepares them, and keeps nothing of that.
enum LargePhotos {
  /// The most pixels of a side that `generate` takes.
  private static let mostSide = 4096
  /// The most bytes that `generate` takes, if the service has not said.
  private static let mostBytes = 7_000_000

  /// The params of a request, with every photo that is too large replaced by a prepared one.
  /// - Throws: what `image/prepare` refuses; `CancellationError`.
  static func params<Message: RequestMessage>(
    of message: Message, over connection: ServiceConnection
  ) async throws -> JSONValue {
    if let request = message as? Generate {
      return try ServiceConnection.params(try await fitting(request, over: connection))
    }
    if let estimate = message as? CreditsEstimate, case .generate(let request) = estimate.subject {
      return try ServiceConnection.params(CreditsEstimate(try await fitting(request, over: connection)))
    }
    return try ServiceConnection.params(message)
  }

  private static func fitting(_ request: Generate, over connection: ServiceConnection) async throws -> Generate {
    var fitted = request
    if let image = request.image { fitted.image = try await fitting(image, of: request, over: connection) }
    for (index, image) in (request.references ?? []).enumerated() {
      fitted.references?[index] = try await fitting(image, of: request, over: connection)
    }
    return fitted
  }

  private static func fitting(
    _ image: ImageSource, of request: Generate, over connection: ServiceConnection
  ) async throws -> ImageSource {
    let limit = connection.initialization?.limits.maxImageBytes ?? mostBytes
    // A disk may be slow.
    guard try await LazyThreadPool.hostFiles.run({ isTooLarge(image, mostBytes: limit) }) else { return image }
    let prepared = try await connection.send(
      ImagePrepare(image: image, longestSide: mostSide, inline: true, account: request.account))
    guard let data = prepared.data, let inline = InlineImage(base64: data, mimeType: prepared.mimeType) else {
      throw AtelierError(.protocolError, "The service's answer is not understood: it has no prepared picture.")
    }
    return .data(inline)
  }

  /// Whether `generate` would refuse it for its size. What cannot be read here, the service judges.
  private static func isTooLarge(_ image: ImageSource, mostBytes: Int) -> Bool {
    let picture: [UInt8]
    switch image {
    case .path(let path):
      guard let status = try? FileStatus(path: path, followingLinks: true), status.isRegularFile else { return false }
      if status.bytes > mostBytes { return true }
      guard let bytes = try? FileSystem.read(path) else { return false }
      picture = bytes
    case .data(let inline):
      if inline.byteCount > mostBytes { return true }
      picture = inline.decoded()
    case .generation, .prepared: return false
    }
    return PictureSides(of: picture).map { max($0.width, $0.height) > mostSide } ?? false
  }
}
