import AtelierProtocol
import Support
import Testing

@testable import Providers

@Suite("The size a server is asked for")
struct OpenAISizeTests {
  @Test(
    "the size a server is asked for follows from size and shape",
    arguments: [
      (nil, nil, nil), ("auto", nil, "auto"), ("1K", nil, "1024x1024"), ("1K", "1000:999", "1024x1024"),
      ("2K", nil, "2048x2048"), ("4K", nil, "2880x2880"), (nil, "1:1", "1024x1024"), (nil, "16:9", "1280x720"),
      ("2K", "16:9", "2560x1440"), ("1K", "21:9", "1456x624"), ("2K", "4:3", "2304x1728"),
      ("4K", "16:9", "3840x2160"), ("4K", "9:16", "2160x3840"), ("1K", "3:1", "1728x576"), ("1K", "1:3", "576x1728"),
      ("1K", "4:5", "896x1120"), ("1024x640", nil, "1024x640"), ("1536x1024", "3:2", "1536x1024"),
      ("1360x768", "16:9", "1360x768"), ("3840x2160", nil, "3840x2160"), ("2880x2880", nil, "2880x2880"),
    ] as [(String?, String?, String?)])
  func sizes(size: String?, aspectRatio: String?, text: String?) throws {
    #expect(try OpenAISize(model: "gpt-image-2").text(size: size, aspectRatio: aspectRatio) == text)
  }

  @Test(
    "the size a server is asked for keeps the photo's shape where only a size is asked for",
    arguments: [
      (3000, 2000, "2496x1664"), (1000, 1000, "2048x2048"), (4000, 500, "3504x1168"), (1, 4000, "1168x3504"),
    ])
  func photos(width: Int, height: Int, text: String) throws {
    let size = OpenAISize(model: "gpt-image-2")
    #expect(try size.text(size: "2K", aspectRatio: nil, photo: (width, height)) == text)
  }

  @Test(
    "the size a server is asked for is refused where it cannot be made, with what to do instead",
    arguments: [
      ("gpt-image-2", "1000x1000", nil), ("gpt-image-2", "4096x1024", nil), ("gpt-image-2", "512x512", nil),
      ("gpt-image-2", "2048x512", nil), ("gpt-image-2", "3840x3840", nil), ("gpt-image-2", "large", nil),
      ("gpt-image-2", "512", nil), ("gpt-image-2", "1k", nil), ("gpt-image-2", "", nil), ("gpt-image-2", "x", nil),
      ("gpt-image-2", "-1024x-1024", nil), ("gpt-image-2", "1024x1024x1024", nil), ("gpt-image-2", "0x1024", nil),
      ("gpt-image-2", "99999999999999999999x1024", nil), ("gpt-image-2", nil, "4:1"), ("gpt-image-2", nil, "1:8"),
      ("gpt-image-2", nil, "wide"), ("gpt-image-2", nil, "0:1"), ("gpt-image-2", nil, "1:1:1"),
      ("gpt-image-2", "1024x1024", "16:9"), ("gpt-image-2", "auto", "1:1"), ("gpt-image-1.5", nil, "16:9"),
      ("gpt-image-1.5", "2K", nil), ("gpt-image-1-mini", "1024x640", nil),
    ] as [(String, String?, String?)])
  func refusals(model: String, size: String?, aspectRatio: String?) throws {
    let error = try #require(throws: AtelierError.self) {
      try OpenAISize(model: model).text(size: size, aspectRatio: aspectRatio)
    }
    #expect(error.kind == .unsupportedByProvider)
    #expect(error.message.hasSuffix("."))
  }

  @Test("the size is one of three for the first models, and anything in steps of 16 for other servers' models")
  func models() throws {
    let first = OpenAISize(model: "gpt-image-1.5")
    #expect(try first.text(size: nil, aspectRatio: "3:2") == "1536x1024")
    #expect(try first.text(size: "1K", aspectRatio: "4:6") == "1024x1536")
    #expect(try first.text(size: "1K", aspectRatio: nil, photo: (4000, 3000)) == "1536x1024")
    #expect(try first.text(size: "1024x1536", aspectRatio: nil) == "1024x1536")
    #expect(try OpenAISize(model: "sd-turbo").text(size: "512x512", aspectRatio: nil) == "512x512")
  }

  @Test("the size a server is asked for keeps the rules of the API for every shape", arguments: 0..<300 as Range<UInt64>)
  func rules(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let shape = (Int.random(in: 1...4000, using: &random), Int.random(in: 1...4000, using: &random))
    let name = ["1K", "2K", "4K"].randomElement(using: &random)
    let text = try OpenAISize(model: "gpt-image-2").text(size: name, aspectRatio: nil, photo: shape)
    let sides = try #require(text).split(separator: "x").compactMap { Int($0) }
    try #require(sides.count == 2)
    let note: Comment = "seed \(seed): \(shape) gave \(sides)"
    #expect(sides.allSatisfy { $0.isMultiple(of: 16) && $0 <= 3840 }, note)
    #expect((655_360...8_294_400).contains(sides[0] * sides[1]), note)
    #expect(sides[0] <= sides[1] * 3 && sides[1] <= sides[0] * 3, note)
    let wanted = min(3, max(1.0 / 3, Double(shape.0) / Double(shape.1)))
    #expect(abs(Double(sides[0]) / Double(sides[1]) / wanted - 1) < 0.03, note)
  }
}
