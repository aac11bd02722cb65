import AtelierProtocol
import Providers
import ServiceFixture
import Testing

@testable import Engine

@Suite("What came back")
struct OutputCheckTests {
  private static let ratio = "aspect_ratio_differs"
  private static let size = "size_differs"

  @Test("a picture that differs from what was asked is told of, and no other", arguments: [
    (nil, nil, 7, 9_000, []),
    ("1:1", nil, 1_024, 1_024, []), ("1:1", nil, 1_024, 1_056, []), ("1:1", nil, 1_024, 1_280, [ratio]),
    ("3:4", nil, 864, 1_184, []), ("3:4", nil, 896, 1_200, []), ("3:4", nil, 1_184, 864, [ratio]),
    ("4:3", nil, 1_184, 864, []), ("21:9", nil, 1_584, 672, []), ("21:9", nil, 1_376, 768, [ratio]),
    ("16:9", nil, 1_376, 768, []), ("1:8", nil, 352, 2_928, []), ("1:8", nil, 512, 2_048, [ratio]),
    ("9:16", nil, 1, 1, []), ("9:16", nil, 40, 9_000, [ratio]),
    ("odd", nil, 10, 900, []), ("1:0", nil, 10, 900, []), ("1:2:3", nil, 10, 900, []),
    (nil, "1K", 1_024, 1_024, []), (nil, "1k", 1_184, 864, []), (nil, "1K", 1_536, 1_024, []),
    (nil, "2K", 1_024, 1_024, [size]), (nil, "1K", 2_048, 2_048, [size]), (nil, "2K", 2_048, 2_048, []),
    (nil, "4K", 3_840, 2_160, []), (nil, "4K", 4_096, 4_096, []), (nil, "4K", 2_048, 2_048, [size]),
    (nil, "512", 512, 512, []), (nil, "512", 1_024, 1_024, [size]), (nil, "auto", 3, 3, []), (nil, "", 3, 3, []),
    (nil, "K", 3, 3, []), (nil, "99999999999K", 3, 3, []),
    (nil, "1024x1536", 1_024, 1_536, []), (nil, "1024x1536", 1_040, 1_520, []),
    (nil, "1024x1536", 1_536, 1_024, [size]), (nil, "1024x1536", 1_024, 1_024, [size]),
    ("3:4", "2K", 1_024, 1_024, [ratio, size]), ("1:1", "1K", 0, 0, [ratio, size]),
  ] as [(String?, String?, Int, Int, [String])])
  func told(aspectRatio: String?, size: String?, width: Int, height: Int, kinds: [String]) {
    let check = OutputCheck(Generate.Output(aspectRatio: aspectRatio, size: size))
    let warnings = check.warnings(width: width, height: height)
    #expect(warnings.map(\.kind) == kinds)
    for warning in warnings { #expect(warning.message.text.contains("\(width) × \(height)")) }
  }

  @Test("each picture of a generation is compared with what was asked, and each thing said once")
  func warned() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider()])
    var request = Generate.picture(count: 2)
    request.output?.aspectRatio = "1:2"
    request.output?.size = "1K"
    let result = try await engine.generations.generate(request, for: Caller()).result
    #expect(result?.state == .succeeded)
    #expect(result?.warnings.map(\.kind) == [Self.ratio, Self.size])
    #expect(try await engine.row("gen_1")?.warnings == result?.warnings)
    await engine.leave()
  }
}
