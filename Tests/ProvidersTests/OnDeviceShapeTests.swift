import AtelierProtocol
import Imaging
import Testing

@testable import Providers

@Suite("The shapes that this machine makes")
struct OnDeviceShapeTests {
  @Test("the shapes that this machine makes are those of its aspect ratios, from 256 to 2048 pixels", arguments: [
    (nil, nil, 1, 1, 1024), ("1:1", "1024x1024", 1, 1, 1024), ("4:5", "2048", 4, 5, 2048), ("3:4", "256", 3, 4, 256),
    ("2:3", "2K", 2, 3, 2048), (nil, "683x1024", 2, 3, 1024), (nil, "768x1024", 3, 4, 1024),
    ("3:4", "1536x2048", 3, 4, 2048), (nil, "1K", 1, 1, 1024), (nil, "512", 1, 1, 512),
  ] as [(String?, String?, Int, Int, Int)])
  func shapes(aspectRatio: String?, size: String?, width: Int, height: Int, side: Int) {
    #expect(
      OnDeviceShape.shape(size: size, aspectRatio: aspectRatio, crop: nil)
        == HeadshotShape(width: width, height: height, longestSide: side))
  }

  @Test("the shapes of a passport have 35 by 45 parts", arguments: [(nil, 1024), ("2048", 2048)] as [(String?, Int)])
  func passport(size: String?, side: Int) {
    for passport in PassportSize.common {
      guard let photo = try? PassportTable.builtIn.photo(of: passport, head: nil, pixels: nil), let printed = photo.printed
      else {
        Issue.record("\(passport.text)")
        continue
      }
      let shape = OnDeviceShape.shape(size: size, aspectRatio: nil, crop: .passport, passport: photo)
      #expect(shape == .passport(photo, printed: printed, longestSide: side))
      #expect(shape.map { abs(Double($0.width) / Double($0.height) - printed.width / printed.height) < 1e-9 } == true)
    }
  }

  @Test("the shapes of a passport are kept exactly where both sides are given", arguments: [
    ("600x750", true), ("100x100", true), ("2048x2048", true), ("99x120", false), ("2049x2049", false), ("750x600", false),
    ("300x601", false), ("600x", false),
  ])
  func exact(size: String, isMade: Bool) {
    let photo = PassportPhoto(printed: nil, head: 0.7...0.8)
    let shape = OnDeviceShape.shape(size: size, aspectRatio: nil, crop: .passport, passport: photo)
    #expect((shape != nil) == isMade)
    #expect(shape?.isExact != false)
  }

  @Test(
    "the shapes of the whole frame are the photo's",
    arguments: [(nil, 1024), ("2048", 2048), ("1K", 1024)] as [(String?, Int)])
  func wholeFrame(size: String?, side: Int) {
    #expect(OnDeviceShape.shape(size: size, aspectRatio: nil, crop: .wholeFrame) == .wholeFrame(longestSide: side))
  }

  @Test("shapes that this machine does not make are refused", arguments: [
    ("16:9", nil), ("5:4", nil), ("4:3", nil), ("1", nil), ("", nil), ("1:1", "255"), (nil, "2049"), (nil, "4K"),
    (nil, "auto"), (nil, "-512"), (nil, "0"), (nil, "1024x768"), ("1:1", "768x1024"), (nil, "x"),
    (nil, "999999999999999999999"), (nil, "1024X1024"), (nil, "٥١٢"),
  ] as [(String?, String?)])
  func refused(aspectRatio: String?, size: String?) {
    #expect(OnDeviceShape.shape(size: size, aspectRatio: aspectRatio, crop: nil) == nil)
  }
}
