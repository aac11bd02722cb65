import Glibc
import Support
import Testing

@testable import Portrait

@Suite("Whether the photo's own background is kept")
struct BackgroundDoubtTests {
  private typealias Tuning = BackgroundTuning.Doubt
  private static let size = MatteBuilder.size
  private static let face = Rectangle(x: 200, y: 140, width: 110, height: 150)

  /// What a clean cut before an even wall measures.
  private static let clean: [BackgroundDoubt.Reason: Double] = [.uncertain: 0, .lost: 0, .uneven: 0.02, .loose: 1.6]

  @Test("A clean cut before an even wall gets the studio, and each reason alone can keep the background", arguments: [
    (.uncertain, 2), (.lost, 3), (.uneven, 0.35), (.loose, 6),
  ] as [(BackgroundDoubt.Reason, Double)])
  func reasons(reason: BackgroundDoubt.Reason, measure: Double) {
    #expect(!BackgroundDoubt(measures: Self.clean).isTooLarge)
    var measures = Self.clean
    measures[reason] = measure
    let doubt = BackgroundDoubt(measures: measures)
    #expect(doubt.isTooLarge && doubt.reason == reason)
    #expect(doubt.warning.kind == .backgroundKept)
    #expect(doubt.warning.message.text.hasPrefix(reason.sentence.text))
  }

  @Test("Loose hair before an uneven background probably keeps bits of it, a loose edge or an uneven wall alone does not",
    arguments: [(4, 0.25, true), (1.6, 0.25, false), (3, 0.02, false), (1.6, 0.02, false)] as [(Double, Double, Bool)])
  func looseHair(loose: Double, uneven: Double, expected: Bool) {
    var measures = Self.clean
    (measures[.loose], measures[.uneven]) = (loose, uneven)
    #expect(BackgroundDoubt(measures: measures).isLooseHair == expected)
  }

  @Test("More of any measure is never less doubt", arguments: 0..<100 as Range<UInt64>)
  func rising(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let measures = Dictionary(
      uniqueKeysWithValues: BackgroundDoubt.Reason.allCases.map { ($0, Double.random(in: 0...3, using: &random)) })
    let doubt = BackgroundDoubt(measures: measures)
    #expect(doubt.logOdds.isFinite, "seed \(seed)")
    for (reason, measure) in measures {
      var more = measures
      more[reason] = measure + .random(in: 0...1, using: &random)
      #expect(BackgroundDoubt(measures: more).logOdds >= doubt.logOdds, "seed \(seed), \(reason)")
    }
  }

  /// A bust, cut out exactly.
  private static let opacity = Plane<Float>(width: size, height: size, values: (0..<size * size).map { index in
    let (x, y) = (index % size, index / size)
    return face.ellipseContains(x: Double(x), y: Double(y)) || y > 330 && abs(x - 255) < 160 ? 1 : 0
  })

  /// - Parameters:
  ///   - seen: what the networks are certain of besides the bust.
  ///   - isEven: whether the wall has one brightness.
  private static func cutting(
    seen: Rectangle? = nil, mean: Float = 0, isEven: Bool = true, isCutOut: Bool = false, fills: Bool = false
  ) -> HeadshotMaker.Cutting {
    let opacity = fills ? Plane<Float>(width: size, height: size, repeating: 1) : opacity
    func isSeen(_ index: Int) -> Bool {
      seen?.contains(Point(x: Double(index % size), y: Double(index / size))) ?? false
    }
    let small = Plane(width: size, height: size, values: (0..<size * size).map { index in
      Colour(repeating: isEven || index / 64 % 2 == 0 ? 0.7 : 0.1).replacingLast(0)
    })
    let square = CropSquare(centre: Point(x: 256, y: 256), side: 512, rotation: 0)
    let view = Plane(width: size, height: size, values: opacity.values.indices.map { isSeen($0) ? 1 : opacity.values[$0] })
    let region = PhotoRegion(
      image: PixelImage(width: 1, height: 1, pixels: [0, 0, 0]), area: Rectangle(x: 0, y: 0, width: 1, height: 1))
    let uncertain = Plane(width: size, height: size, values: opacity.values.indices.map {
      isSeen($0) ? mean : opacity.values[$0]
    })
    let sight = HeadshotMaker.Sight(mask: opacity, mean: uncertain, views: [mean == 0 ? view : opacity])
    return HeadshotMaker.Cutting(
      region: region, placed: region, square: square, crop: region.image, small: small,
      faces: FacesInView(wanted: face, others: []), valid: [Bool](repeating: true, count: size * size),
      matte: Matte(
        coefficients: opacity.map { _ in .zero }, looseness: opacity, opacity: opacity,
        layers: LayerEstimator.Layers(foreground: small, background: small)),
      sight: isCutOut ? nil : sight, warnings: [])
  }

  @Test("Areas that a view sees and the matte lost, areas of doubt, and an uneven wall are measured")
  func measured() throws {
    let clean = try #require(BackgroundDoubt(of: Self.cutting()))
    #expect(!clean.isTooLarge)
    let area = Rectangle(x: 400, y: 200, width: 60, height: 90)
    func part(_ reason: BackgroundDoubt.Reason, _ cutting: HeadshotMaker.Cutting) throws -> Double {
      let doubt = try #require(BackgroundDoubt(of: cutting))
      return try #require(doubt.parts[reason])
    }
    #expect(try part(.lost, Self.cutting(seen: area)) > part(.lost, Self.cutting()) + 1)
    #expect(try part(.uncertain, Self.cutting(seen: area, mean: 0.5)) > part(.uncertain, Self.cutting()) + 1)
    #expect(try part(.uneven, Self.cutting(isEven: false)) > part(.uneven, Self.cutting()) + 1)
    // An edge is no area.
    let line = Rectangle(x: 400, y: 200, width: 3, height: 90)
    #expect(try part(.lost, Self.cutting(seen: line)) == part(.lost, Self.cutting()))
  }

  @Test("A cut-out, and a person who fills the picture, have no background that could be kept")
  func nothingToKeep() {
    #expect(BackgroundDoubt(of: Self.cutting(isCutOut: true)) == nil)
    #expect(BackgroundDoubt(of: Self.cutting(fills: true)) == nil)
  }

  @Test("The picture is the one that the chosen background makes, byte for byte", arguments: StudioTests.names)
  func chosen(name: String) throws {
    let studio = try Studio()
    let photo = try Fixtures.portrait(name)
    func headshot(_ background: HeadshotOptions.Background) throws -> Headshot {
      try studio.headshot(of: photo, options: HeadshotOptions(background: background))
    }
    let auto = try headshot(.auto)
    let isKept = auto.warnings.contains { $0.kind == .backgroundKept }
    let other = try headshot(isKept ? .casual : .professional)
    #expect(auto.image == other.image && auto.opacity == other.opacity)
    #expect(auto.warnings.filter { $0.kind != .backgroundKept } == other.warnings)
    #expect(try !headshot(.professional).warnings.contains { $0.kind == .backgroundKept })
  }
}
