import AtelierProtocol
import Testing

@testable import Imaging

@Suite("The photo's own background")
struct KeptBackgroundTests {
  @Test("the photo's own background stays where it is, and another one does not, in every shape", arguments: [
    HeadshotShape(longestSide: 512), HeadshotShape(width: 4, height: 5, longestSide: 512), .wholeFrame(longestSide: 512),
  ])
  func kept(shape: HeadshotShape) async throws {
    let photo = try Fixture.portrait("astronaut.png")
    try await withWorker { worker in
      func made(_ background: Background) async throws -> (Pixels, GrayPixels, EncodedImage) {
        let made = try await worker.headshot(
          photo, options: HeadshotJob(background: background, format: .png, shape: shape, wantsMatte: true))
        return (try Pixels(png: made.image.bytes), try GrayPixels(png: try #require(made.matte).bytes), made.image)
      }
      let (kept, matte, image) = try await made(.keep)
      let (white, _, _) = try await made(.white)
      #expect(kept.width == white.width && kept.height == white.height)
      // What is behind the person is white in one picture, and what the photo has in the other.
      let places = (0..<image.height).flatMap { y in (0..<image.width).map { (x: $0, y: y) } }
      let behind = places.filter { matte[$0.x, $0.y] == 0 }
      #expect(behind.count > image.width * image.height / 10)
      let coloured = behind.count { max(kept[$0.x, $0.y].red, kept[$0.x, $0.y].blue) < 250 }
      #expect(coloured > behind.count / 2)
    }
  }
}
