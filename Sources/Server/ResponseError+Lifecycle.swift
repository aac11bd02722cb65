import JSONRPC

extension ResponseError {
  static let afterShutdown = invalidRequest(
    "The service was shut down; only exit and cancels are accepted now. Start it again for new requests.")

  static let initializedTwice = invalidRequest(
    "The connection is initialized already. Open a new one to act for another account.")
}
