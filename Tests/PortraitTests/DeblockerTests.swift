import Glibc
import Testing

@testable import Portrait

@Suite("Softening the blocks of a JPEG")
struct DeblockerTests {
  /// A soft shape, the mean of each block of 8 × 8 alone where `isBlocky`, and the blocks' corner at `phase`.
  private static func picture(isBlocky: Bool, phase: Int = 0, side: Int = 96) -> PixelImage {
    PixelImage(width: side, height: side) { x, y in
      func place(_ position: Int) -> Double {
        guard isBlocky else { return Double(position) }
        // The middle of the block.
        let block = (position + 8 - phase) / 8 - 1
        return Double(block * 8 + phase) + 3.5
      }
      let wave: Double = sin(place(x) / 13) * cos(place(y) / 17)
      let level = 128 + 50 * wave
      return (UInt8(level), UInt8(level * 0.8), UInt8(level * 0.7))
    }
  }

  private static func error(_ image: PixelImage, _ truth: PixelImage) -> Double {
    let squares = zip(image.pixels, truth.pixels).map { pow(Double($0) - Double($1), 2) }
    return squares.reduce(0, +) / Double(squares.count)
  }

  @Test("Blocks become softer and nearer to the scene, wherever they begin", arguments: 0..<8)
  func blocks(phase: Int) {
    let truth = Self.picture(isBlocky: false)
    let blocky = Self.picture(isBlocky: true, phase: phase)
    let softened = Deblocker.deblocked(blocky)
    #expect(softened != blocky)
    #expect(Self.error(softened, truth) < Self.error(blocky, truth) * 0.9)
  }

  @Test("A photo without blocks stays as it is, byte for byte")
  func clean() throws {
    let smooth = Self.picture(isBlocky: false)
    #expect(Deblocker.deblocked(smooth) == smooth)
    for name in StudioTests.names {
      let photo = try Fixtures.portrait(name)
      #expect(Deblocker.deblocked(photo) == photo)
    }
  }

  @Test("Edges of the scene on the edge of a block stay sharp")
  func edge() {
    let blocky = Self.picture(isBlocky: true)
    let image = PixelImage(width: 96, height: 96) { x, y in x < 48 ? blocky.colour(x, y) : (20, 20, 20) }
    let softened = Deblocker.deblocked(image)
    for y in stride(from: 4, to: 92, by: 8) {
      #expect(softened.colour(48, y).0 == 20)
      #expect(abs(Int(softened.colour(47, y).0) - Int(image.colour(47, y).0)) < 3)
    }
  }

  @Test("A photo with blocks is sharpened less where it is enlarged, one without blocks as ever")
  func sharpening() throws {
    let face = FaceLocation(
      box: Rectangle(x: 0.4, y: 0.3, width: 0.2, height: 0.25), viewersLeftEye: Point(x: 0.45, y: 0.4),
      viewersRightEye: Point(x: 0.55, y: 0.4), roll: 0, yaw: 0, presence: 1)
    let plan = try CropPlanner.plan(for: face, photoWidth: 2000, photoHeight: 2000)
    let maker = HeadshotMaker(
      segmenter: try PersonSegmenter(), secondary: SecondarySegmenter(), plan: plan,
      options: HeadshotOptions(background: .professional))
    func amount(isBlocky: Bool, side: Double) -> Float {
      let region = PhotoRegion(
        image: Self.picture(isBlocky: isBlocky), area: Rectangle(x: 0, y: 0, width: 96, height: 96))
      let square = CropSquare(centre: Point(x: 48, y: 48), side: side, rotation: 0)
      return maker.sharpener(square, of: region, size: 1024).amount
    }
    let usual = CompositionTuning.Sharpener.amount
    #expect(amount(isBlocky: false, side: 90) == usual)
    #expect(amount(isBlocky: true, side: 90) < usual * 0.6)
    #expect(amount(isBlocky: true, side: 1024) == usual)
  }

  @Test("The strength of blocks is measured, and is 0 without them", arguments: 0..<8)
  func blockiness(phase: Int) {
    #expect(Deblocker.blockiness(of: Self.picture(isBlocky: false)) == 0)
    let strong = Deblocker.blockiness(of: Self.picture(isBlocky: true, phase: phase))
    #expect(strong > 0.4 && strong <= 1)
    // Half as high above the scene.
    let (scene, blocks) = (Self.picture(isBlocky: false), Self.picture(isBlocky: true, phase: phase))
    let mixed = PixelImage(width: 96, height: 96, pixels: zip(scene.pixels, blocks.pixels).map { $0 / 2 + $1 / 2 })
    let weak = Deblocker.blockiness(of: mixed)
    #expect(weak > 0 && weak < strong)
  }

  @Test("Tiny and malformed pictures stay as they are", arguments: [0, 1, 7, 31])
  func tiny(side: Int) {
    let image = PixelImage(width: side, height: side) { x, y in (UInt8(x), UInt8(y), 0) }
    #expect(Deblocker.deblocked(image) == image)
    let broken = PixelImage(width: 50, height: 50, pixels: [1])
    #expect(Deblocker.deblocked(broken) == broken)
  }
}
