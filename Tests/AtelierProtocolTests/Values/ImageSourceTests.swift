import AtelierProtocol
import JSON
import Support
import Testing

@Suite("Where a picture comes from")
struct ImageSourceTests {
  @Test(
    "the source of a picture is read from each of its forms and written the same",
    arguments: [
      (["path": "a b/ü.png"], .path("a b/ü.png")),
      (["generationId": "gen_1"], .generation("gen_1", index: nil)),
      (["generationId": "gen_1", "index": 3], .generation("gen_1", index: 3)),
      (["preparedId": "prep_1"], .prepared("prep_1")),
    ] as [(JSONValue, ImageSource)])
  func forms(wire: JSONValue, source: ImageSource) throws {
    #expect(try read(ImageSource.self, wire) == source)
    #expect(try written(source) == wire)
  }

  @Test("the source of a picture keeps inline data as its text, and knows how many bytes it has")
  func inline() throws {
    let wire: JSONValue = ["data": "/9j/4A==", "mimeType": "image/jpeg"]
    guard case .data(let image) = try read(ImageSource.self, wire) else {
      Issue.record("not inline data")
      return
    }
    #expect(image.byteCount == 4)
    #expect(image.decoded() == [0xFF, 0xD8, 0xFF, 0xE0])
    #expect(image.mimeType == "image/jpeg")
    #expect(try written(ImageSource.data(image)) == wire)
  }

  private static let oneForm = "an image in one form: {path}, {data, mimeType?}, {generationId, index?} or {preparedId}"
  private static let base64 =
    "the picture's bytes in base64: the standard alphabet, padded, without line breaks or a data: prefix"

  @Test(
    "the source of a picture is refused with what is wrong and where",
    arguments: [
      ([:], "", oneForm), ("a.png", "", oneForm), (nil, "", oneForm),
      (["path": "a", "preparedId": "b"], "", oneForm), (["path": "a", "data": "Zg=="], "", oneForm),
      (["path": ""], "/path", "the path of a file, of 1 to 4096 characters"),
      (["path": "a\0b"], "/path", "the path of a file, of 1 to 4096 characters"),
      (["data": ""], "/data", base64), (["data": "Zg"], "/data", base64), (["data": 5], "/data", base64),
      (["data": "data:image/png;base64,Zg=="], "/data", base64),
      (["generationId": ""], "/generationId", "an id of 1 to 128 characters"),
      (["generationId": "g", "index": -1], "/index", "an integer from 0 to 3"),
      (["generationId": "g", "index": 0.5], "/index", "an integer from 0 to 3"),
    ] as [(JSONValue, String, String)])
  func refusals(wire: JSONValue, path: String, expected: String) {
    let failure = failure(ImageSource.self, wire)
    #expect(failure?.path == path)
    #expect(failure?.expected == expected)
  }

  @Test("the source of a picture does not take members of another form")
  func mixed() {
    #expect(failure(ImageSource.self, ["path": "a", "mimeType": "image/png"])?.path == "/mimeType")
    #expect(failure(ImageSource.self, ["preparedId": "a", "index": 0])?.path == "/index")
  }
}
