import Testing

@testable import CurlHTTP

@Suite("The end of a transfer")
struct TransferEndTests {
  private static let before: [(code: UInt32, cause: HTTPError.Cause)] = [
    (1, .badURL), (3, .badURL), (5, .proxy), (6, .resolve), (7, .connect), (27, .unusable), (28, .timedOut(.connect)),
    (35, .tls), (56, .connect), (60, .tls), (77, .tls), (97, .proxy),
  ]

  @Test(
    "a transfer that ends before its connection stands says why it does not, and that nothing was sent", arguments: before)
  func beforeConnection(code: UInt32, cause: HTTPError.Cause) throws {
    try CurlLibrary.load()
    let error = TransferEnd(code: .init(code), hasHead: false).error
    #expect(error.cause == cause)
    #expect(!error.mayHaveBeenSent)
    #expect(error.detail.hasPrefix("libcurl \(code): "))
  }

  @Test("a lack of descriptors is why no connection stands, whatever libcurl calls it", arguments: before)
  func noDescriptor(code: UInt32, cause: HTTPError.Cause) throws {
    try CurlLibrary.load()
    #expect(TransferEnd(code: .init(code), lacksDescriptors: true).error.cause == .noSocket)
    #expect(TransferEnd(code: .init(code), isConnected: true, lacksDescriptors: true).error.cause != .noSocket)
    #expect(TransferEnd(code: .init(code), refusal: .badURL, lacksDescriptors: true).error.cause == .badURL)
  }

  private static let once: [(code: UInt32, waiting: HTTPError.Cause, reading: HTTPError.Cause)] = [
    (1, .malformed, .malformed), (8, .malformed, .malformed), (16, .reset, .truncated), (18, .reset, .truncated),
    (27, .unusable, .unusable), (52, .reset, .truncated), (55, .reset, .truncated), (56, .reset, .truncated),
    (61, .malformed, .malformed), (63, .tooLarge, .tooLarge), (65, .reset, .truncated), (92, .reset, .truncated),
  ]

  @Test("the end of a transfer once the connection stood depends on whether the response had begun", arguments: once)
  func onceConnected(code: UInt32, waiting: HTTPError.Cause, reading: HTTPError.Cause) throws {
    try CurlLibrary.load()
    for (hasHead, cause) in [(false, waiting), (true, reading)] {
      let error = TransferEnd(code: .init(code), isConnected: true, hasHead: hasHead).error
      #expect(error.cause == cause)
      #expect(error.mayHaveBeenSent)
    }
  }

  @Test("an end that the transfer brought about itself keeps its own cause")
  func refusal() throws {
    try CurlLibrary.load()
    #expect(TransferEnd(code: .init(23), refusal: .tooLarge, isConnected: true, hasHead: true).error.cause == .tooLarge)
    #expect(TransferEnd(code: .init(7), usesProxy: true).error.cause == .proxy)
  }
}
