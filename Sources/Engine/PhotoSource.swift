import AtelierProtocol
import Imaging
import JSONRPC
import Store

/// Finds the bytes an `Image` stands for: a file, inline data, an earlier result, a prepared input.
struct PhotoSource: Sendable {
  let door: StoreDoor
  /// The largest picture taken, in bytes.
  let maximumBytes: Int

  /// Refuses what can be seen to be wrong without reading or decoding anything (REQUIREMENTS 2.2, 2.6).
  /// - Throws: `AtelierError`: the file's or data's fault, `not_found`, `input_expired`.
  func check(_ source: ImageSource, account: AccountID) async throws {
    switch source {
    case .path(let path):
      try await imaging { try await PhotoFile.check(path, maximumBytes: maximumBytes) }
    case .data(let data):
      guard data.byteCount <= maximumBytes else { throw tooLarge(data.byteCount) }
    case .generation, .prepared:
      _ = try await artifact(of: source, account: account)
    }
  }

  /// The encoded picture.
  /// - Throws: as ``check(_:account:)``.
  func read(_ source: ImageSource, account: AccountID) async throws -> [UInt8] {
    try await readStored(source, account: account).bytes
  }

  /// The encoded picture, and the artifact it is where the store has it already.
  /// - Throws: as ``check(_:account:)``.
  func readStored(
    _ source: ImageSource, account: AccountID
  ) async throws -> (bytes: [UInt8], stored: StoredArtifact?) {
    switch source {
    case .path(let path):
      return (try await imaging { try await PhotoFile.read(path, maximumBytes: maximumBytes) }, nil)
    case .data(let data):
      guard data.byteCount <= maximumBytes else { throw tooLarge(data.byteCount) }
      return (data.decoded(), nil)
    case .generation, .prepared:
      let artifact = try await artifact(of: source, account: account)
      return (try await door.store().read(artifact), artifact)
    }
  }

  private func artifact(of source: ImageSource, account: AccountID) async throws -> StoredArtifact {
    let store = try await door.store()
    switch source {
    case .generation(let id, let index):
      guard let row = try await store.generation(id, account: account) else {
        throw AtelierError(.notFound, "There is no generation “\(id.rawValue)” in this account.")
      }
      guard let image = row.images.first(where: { $0.index == index ?? 0 }) else {
        throw AtelierError(.notFound, "The generation “\(id.rawValue)” has no image \(index ?? 0).")
      }
      guard let artifact = image.artifact else {
        throw AtelierError(.notFound, "The generation “\(id.rawValue)” was private: its images were not kept.")
      }
      return artifact
    case .prepared(let id):
      switch try await store.prepared(id, account: account) {
      case .found(let input): return input.artifact
      case .expired:
        throw AtelierError(.inputExpired, "The prepared image is no longer kept. Prepare the photo again.")
      case .notFound:
        throw AtelierError(.notFound, "There is no prepared image “\(id.rawValue)” in this account.")
      }
    case .path, .data:
      throw AtelierError(.internal, "A file or inline data is not kept in the store.")
    }
  }

  private func tooLarge(_ bytes: Int) -> AtelierError {
    AtelierError(
      .imageTooLarge, "The picture has \(bytes) bytes; at most \(maximumBytes) are accepted. Choose a smaller one.",
      details: ["bytes": .number(JSONNumber(Int64(bytes))), "maxBytes": .number(JSONNumber(Int64(maximumBytes)))])
  }
}
