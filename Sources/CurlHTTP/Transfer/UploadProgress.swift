/// Decides which steps of an upload are worth telling: each a hundredth of the whole at least, and the last.
struct UploadProgress: Equatable {
  let total: Int
  private(set) var told = 0

  init(total: Int) {
    self.total = total
  }

  /// - Parameter bytes: how much of the body has been handed to the network by now.
  /// - Returns: what is to be told, if anything.
  mutating func step(to bytes: Int) -> HTTPTransferEvent? {
    guard bytes > told, bytes == total || bytes - told >= max(1, total / 100) else { return nil }
    told = bytes
    return .sent(bytes: bytes, of: total)
  }
}
