import AtelierProtocol
import Engine

/// `image/prepare`: makes a photo fit and keeps it for `generate`.
enum ImagePrepareMethod: Method {
  static func answer(
    _ message: ImagePrepare, for caller: Caller, by engine: Engine
  ) async throws -> ImagePrepare.Result {
    try await engine.prepare(message, for: caller)
  }
}
