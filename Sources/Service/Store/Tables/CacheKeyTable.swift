import AtelierProtocol
import Encodings

/// The SQL of the table `generation_cache_key`: which requests a generation answers. ``GenerationTable`` finds it by its
/// key.
struct CacheKeyTable {
  let session: any SQLSession

  /// - Parameter key: a SHA-256, 32 bytes.
  func insert(_ key: [UInt8], of generation: GenerationID) throws {
    try session.run(
      "INSERT INTO generation_cache_key (generation_id, key) VALUES (?, ?)", [generation.rawValue, Hexadecimal.text(key)])
  }
}

extension SQLSession {
  var cacheKeys: CacheKeyTable { CacheKeyTable(session: self) }
}
