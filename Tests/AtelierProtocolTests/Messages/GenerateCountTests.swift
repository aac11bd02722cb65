import AtelierProtocol
import Testing

@Suite("How many results a request asks for")
struct GenerateCountTests {
  @Test("the number of results is that of the pictures, of the views, or one list of places", arguments: [
    (Generate(recipe: .create), 1, 1), (Generate(recipe: .create, output: Generate.Output(count: 3)), 3, 3),
    (Generate(recipe: .hairstyle, output: Generate.Output(mode: .multiAngle)), 4, 4),
    (Generate(recipe: .hairstyle, output: Generate.Output(mode: .single, count: 2)), 2, 2),
    (Generate(recipe: .places), 1, 0),
  ])
  func counts(request: Generate, results: Int, pictures: Int) {
    #expect(request.resultCount == results && request.pictureCount == pictures)
    #expect(request.isMultiAngle == (results == 4))
  }
}
