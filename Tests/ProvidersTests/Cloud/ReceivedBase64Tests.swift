import Testing

@testable import Providers

@Suite("Base64 that was received")
struct ReceivedBase64Tests {
  @Test("may stand anywhere in what came")
  func slice() {
    let body = Array(#"{"data":"QUJD"}"#.utf8)
    #expect(ReceivedBase64(body[9..<13]).decoded()?.bytes == Array("ABC".utf8))
    #expect(ReceivedBase64(body[9..<9]).decoded()?.bytes == [])
  }
}
