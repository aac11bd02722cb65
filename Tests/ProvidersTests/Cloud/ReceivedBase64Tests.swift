import Testing

@testable import Providers

@Suite("Base64 that was received")
struct ReceivedBase64Tests {
  @Test("received base64 may stand anywhere in what came")
  func slice() {
    let body = Array(#"{"data":"QUJD"}"#.utf8)
    #expect(ReceivedBase64(body[9..<13]).decoded()?.bytes == Array("ABC".utf8))
    #expect(ReceivedBase64(body[9..<9]).decoded()?.bytes == [])
  }

  @Test("received base64 is read within a data URL, in lines and in blanks, which is not its strict form", arguments: [
    "data:image/png;base64,QUJD", "DATA:;Base64,QUJD", " data:x;base64, QUJD ", "QU\nJD", "QUJD\r\n", "\tQUJD",
    "data:image/png;charset=utf-8;base64,QU%4aD",
  ])
  func forms(text: String) {
    #expect(ReceivedBase64(text).decoded()?.bytes == Array("ABC".utf8))
    #expect(ReceivedBase64(text).decoded()?.isStrict == false)
    #expect(ReceivedBase64("QUJD").decoded()?.isStrict == true)
  }

  @Test("any other text is no received base64", arguments: [
    "data:image/svg+xml,<svg/>", "data:image/png;base64", "data:", "data:image/png;base64,QU%zzJD", "!QUJD", "QUJDQ",
  ])
  func none(text: String) {
    #expect(ReceivedBase64(text).decoded() == nil)
  }
}
