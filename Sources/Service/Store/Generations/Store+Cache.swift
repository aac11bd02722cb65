import AtelierProtocol
import Encodings
import JSON

extension Store {
  /// The newest generation that answers a request with this key.
  ///
  /// The caller, which reads its files, must check that they are unchanged.
  /// - Parameters:
  ///   - key: a SHA-256 (32 bytes), as ``Settlement/cacheKey``.
  ///   - account: the account it must belong to.
  /// - Returns: nil when there is none that succeeded and still has all its images.
  public func cachedResult(for key: [UInt8], account: AccountID) async throws(AtelierError) -> GenerationRow? {
    try await read { [self] session in
      guard let found = try session.generations.row(answering: Hexadecimal.text(key), account: account),
        let row = try generations(in: session, rows: [found]).first
      else { return nil }
      return !row.images.isEmpty && row.images.allSatisfy { $0.artifact != nil } ? row : nil
    }
  }

  /// Whether a generation, of any account, delivered a file with these bytes that is still kept.
  public func hasDelivered(_ bytes: [UInt8]) async throws(AtelierError) -> Bool {
    let digest = StoredArtifact.digest(bytes)
    return try await read { session in try session.files.isDelivered(digest) }
  }

  /// The number of generations that have this one as their parent and regenerate it, by the `regenerates` recorded
  /// beside their params.
  public func regenerations(of id: GenerationID) async throws(AtelierError) -> Int {
    try await read { session in
      try session.generations.requestsThatRegenerate(ofParent: id).count { $0["regenerates"]?.string == id.rawValue }
    }
  }
}
