import CurlHTTP
import Testing

@Suite("An HTTP response")
struct HTTPResponseTests {
  @Test("an HTTP response finds a header whatever its case")
  func header() {
    let response = HTTPResponse(status: 200, headers: [HTTPHeader("Content-TYPE", "image/png")], body: [])
    #expect(response.header("content-type") == "image/png")
    #expect(response.header("x-request-id") == nil)
  }
}
