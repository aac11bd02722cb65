import Support

@testable import Store

extension MemoryStorage {
  /// As the place of a store's pictures.
  func pictures() throws -> PictureBucket {
    PictureBucket(
      bucket: try bucket(), cacheBytes: 1_000_000, uptimeMs: { self.uptime.load(ordering: .relaxed) },
      wait: { _ in await Task.yield() }, rest: rest)
  }
}
