import Support
import Testing

@testable import Portrait

@Suite("A network of the operator")
struct PersonNetworkTests {
  private static let square = CropSquare(centre: Point(x: 50, y: 50), side: 100, rotation: 0)

  private static func network(
    _ bytes: [UInt8], _ values: PersonNetwork.Values = .unit, _ output: PersonNetwork.Output = .person,
    isMatte: Bool = false
  ) throws -> PersonNetwork {
    try PersonNetwork(
      name: "own", bytes: bytes, digest: SHA256.hexDigest(of: bytes), isMatte: isMatte, values: values, output: output)
  }

  /// A photo of one colour.
  private static func sampler(red: UInt8 = 204, green: UInt8 = 102, blue: UInt8 = 51) -> Sampler {
    let pixels = (0..<10_000).flatMap { _ in [red, green, blue] }
    return Sampler(image: PixelImage(width: 100, height: 100, pixels: pixels))
  }

  @Test("The network is given the numbers that it takes for colours, in its own order", arguments: [
    (.unit, 0.8), (.signed, 0.6), (.bytes, 204), (.imagenet, (0.8 - 0.485) / 0.229),
  ] as [(PersonNetwork.Values, Float)], [false, true])
  func values(_ row: (PersonNetwork.Values, Float), channelsFirst: Bool) throws {
    let (values, red) = row
    // The odds of e to 1 where the red is what is expected.
    let model = PersonModel.of(red: 1 / red, constant: 0, channelsFirst: channelsFirst)
    let network = try Self.network(model, values, .logOdds)
    #expect(network.inputSide == PersonModel.side)
    let opinion = try #require(network.opinion(on: Self.square, in: Self.sampler(), size: 16))
    #expect(opinion.width == 16 && opinion.values.allSatisfy { abs($0 - 0.7310586) < 1e-3 }, "\(opinion.values[0])")
  }

  @Test("The person is what is not the first class", arguments: [false, true])
  func classes(channelsFirst: Bool) throws {
    // Red 0.8, green 0.4 and blue 0.2 are the numbers of the classes.
    let model = PersonModel.of(
      weights: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], constants: [0, 0, 0], channelsFirst: channelsFirst)
    let opinion = try #require(
      Self.network(model, .unit, .classes).opinion(on: Self.square, in: Self.sampler(), size: 8))
    #expect(opinion.values.allSatisfy { abs($0 - 0.5493) < 1e-3 }, "\(opinion.values[0])")
  }

  @Test("A vote is one more beside the mean, and a network that makes the matte has none")
  func votes() throws {
    let mean = Plane<Float>(width: 4, height: 4, repeating: 0.3)
    let networks = [
      try Self.network(PersonModel.of(constant: 0.9)), try Self.network(PersonModel.of(constant: 0.6)),
      try Self.network(PersonModel.of(constant: 1), isMatte: true),
    ]
    let voted = networks.voted(mean, on: Self.square, in: Self.sampler())
    #expect(voted.values.allSatisfy { abs($0 - 0.6) < 1e-5 })
    #expect(networks.matte(on: Self.square, in: Self.sampler(), size: 4)?.values.allSatisfy { $0 == 1 } == true)
    #expect([].voted(mean, on: Self.square, in: Self.sampler()).values == mean.values)
    #expect([networks[0]].matte(on: Self.square, in: Self.sampler(), size: 4) == nil)
  }

  @Test("A network that fails has no voice, and is not asked again")
  func failing() throws {
    let network = try Self.network(PersonModel.of(red: 2, constant: 0))
    let mean = Plane<Float>(width: 4, height: 4, repeating: 0.3)
    #expect([network].voted(mean, on: Self.square, in: Self.sampler(red: 90)).values != mean.values)
    #expect(network.failure == nil)
    #expect([network].voted(mean, on: Self.square, in: Self.sampler(red: 250)).values == mean.values)
    guard case .values(let range?) = network.failure else {
      Issue.record("\(String(describing: network.failure))")
      return
    }
    #expect(abs(range.upperBound - 500 / 255) < 0.01)
    #expect([network].voted(mean, on: Self.square, in: Self.sampler(red: 90)).values == mean.values)
  }

  @Test("The network that is built in sees the person as an operator's as well")
  func builtIn() throws {
    let photo = try Fixtures.portrait("grace_hopper")
    let plan = try Studio().plan(
      for: Studio().locateFace(in: photo), photoWidth: photo.width, photoHeight: photo.height)
    let network = try Self.network(EmbeddedModel.selfieSegmentation.bytes)
    let seen = [network].voted(
      Plane(width: 256, height: 256, repeating: 0), on: plan.square, in: Sampler(image: photo))
    let expected = try PersonSegmenter().mask(of: plan.square, in: Sampler(image: photo), size: 256)
    let agreeing = zip(seen.values, expected.values).count { ($0 > 0.25) == ($1 > 0.5) }
    #expect(Double(agreeing) > 0.97 * Double(seen.values.count))
  }
}
