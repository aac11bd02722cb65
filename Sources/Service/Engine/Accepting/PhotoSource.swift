import AtelierProtocol
import Imaging
import POSIX
import Store

/// Finds the bytes an `Image` refers to: a file, inline data, an earlier result, a prepared input.
struct PhotoSource: Sendable {
  let lazyStore: LazyStore
  /// The maximum size of a picture in bytes.
  var maximumBytes: Int
  /// The folders whose files confined connections may read.
  let readable: AllowedFolders

  /// Refuses sources that are recognisably wrong without reading or decoding anything.
  /// - Throws: `AtelierError`: the file's or data's fault, `not_found`, `input_expired`.
  func check(_ source: ImageSource, for access: PictureAccess) async throws {
    switch source {
    case .path(let path):
      try await imaging {
        try await PhotoFile.check(path, maximumBytes: maximumBytes, within: access.isConfined ? readable : nil)
      }
    case .data(let data):
      guard data.byteCount <= maximumBytes else { throw tooLarge(data.byteCount) }
    case .generation, .prepared:
      _ = try await artifact(of: source, account: access.account)
    }
  }

  /// The encoded picture.
  /// - Throws: as ``check(_:for:)``.
  func read(_ source: ImageSource, for access: PictureAccess) async throws -> [UInt8] {
    try await readStored(source, for: access).bytes
  }

  /// The encoded picture.
  /// - Throws: as ``check(_:for:)``.
  func readStored(_ source: ImageSource, for access: PictureAccess) async throws -> StoredBytes {
    switch source {
    case .path(let path):
      let bytes = try await imaging {
        try await PhotoFile.read(path, maximumBytes: maximumBytes, within: access.isConfined ? readable : nil)
      }
      return (bytes, nil)
    case .data(let data):
      guard data.byteCount <= maximumBytes else { throw tooLarge(data.byteCount) }
      return (data.decoded(), nil)
    case .generation, .prepared:
      let artifact = try await artifact(of: source, account: access.account)
      return (try await lazyStore.store().read(artifact), artifact)
    }
  }

  private func artifact(of source: ImageSource, account: AccountID) async throws -> StoredArtifact {
    let store = try await lazyStore.store()
    switch source {
    case .generation(let id, let index):
      return try KeptPicture(index ?? 0, of: try await store.existingGeneration(id, of: account)).file
    case .prepared(let id):
      switch try await store.prepared(id, account: account) {
      case .found(let input): return input.artifact
      case .expired:
        throw AtelierError(.inputExpired, "The photo is no longer kept: choose it again.", hint: "Prepare the photo again.")
      case .notFound:
        throw AtelierError(.notFound, "The photo could not be found: choose it again.",
          hint: "There is no prepared image “\(id.rawValue)” in this account.")
      }
    case .path, .data:
      throw AtelierError(.internal)
    }
  }

  private func tooLarge(_ bytes: Int) -> AtelierError {
    .tooLarge("The picture", bytes: bytes, maximumBytes: maximumBytes)
  }
}
