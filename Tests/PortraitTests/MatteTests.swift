import Support
import Testing

@testable import Portrait

@Suite("Finding the person's edge")
struct MatteTests {
  @Test("The largest whole is kept; one that meets the face counts before a larger one")
  func components() {
    let picture = [
      "##...###",
      "##...###",
      ".....###",
      "#.......",
    ]
    let chosen = picture.joined().map { $0 == "#" }
    let largest = ConnectedComponents.largest(chosen, width: 8, height: 4)
    #expect(largest.indices.filter { largest[$0] } == [5, 6, 7, 13, 14, 15, 21, 22, 23])
    let seed = PixelRectangle(x: 0, y: 1, width: 2, height: 1)
    let met = ConnectedComponents.largest(chosen, width: 8, height: 4, meeting: seed)
    #expect(met.indices.filter { met[$0] } == [0, 1, 8, 9])
    #expect(ConnectedComponents.label(chosen, width: 8, height: 4).areas == [0, 4, 9, 1])
    let none = [Bool](repeating: false, count: 32)
    #expect(ConnectedComponents.largest(none, width: 8, height: 4) == none)
  }

  @Test("A seed beyond the picture's edges does no harm")
  func seedOutside() {
    let chosen = [Bool](repeating: true, count: 16)
    for seed in [
      PixelRectangle(x: -9, y: -9, width: 3, height: 3), PixelRectangle(x: 90, y: 90, width: 3, height: 3),
      PixelRectangle(x: -2, y: 2, width: 90, height: 90),
    ] {
      #expect(ConnectedComponents.largest(chosen, width: 4, height: 4, meeting: seed) == chosen)
    }
  }

  @Test("Growing and shrinking agree with looking at every neighbour", arguments: 0..<20 as Range<UInt64>)
  func morphology(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (width, height) = (Int.random(in: 1...17, using: &random), Int.random(in: 1...17, using: &random))
    let distance = Int.random(in: 0...4, using: &random)
    let chosen = (0..<width * height).map { _ in random.next().isMultiple(of: 7) }
    let expected = chosen.indices.map { index in
      chosen.indices.contains { other in
        chosen[other] && abs(other % width - index % width) <= distance
          && abs(other / width - index / width) <= distance
      }
    }
    #expect(Morphology.dilated(chosen, width, height, by: distance) == expected, "seed \(seed)")
    let inverse = chosen.map { !$0 }
    #expect(Morphology.eroded(inverse, width, height, by: distance) == expected.map { !$0 }, "seed \(seed)")
  }

  @Test("A box blur agrees with the mean over the window", arguments: 0..<12 as Range<UInt64>)
  func blur(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (width, height) = (Int.random(in: 1...14, using: &random), Int.random(in: 1...14, using: &random))
    let radius = Int.random(in: 0...6, using: &random)
    let values = (0..<width * height).map { _ in Colour(random.unit(), random.unit(), random.unit(), random.unit()) }
    let plane = Plane(width: width, height: height, values: values)
    let blurred = BoxBlur.apply(plane, radius: radius)
    for y in 0..<height {
      for x in 0..<width {
        var sum = Colour.zero
        var count: Float = 0
        for row in max(0, y - radius)...min(height - 1, y + radius) {
          for column in max(0, x - radius)...min(width - 1, x + radius) {
            sum += plane[column, row]
            count += 1
          }
        }
        #expect(abs((blurred[x, y] - sum / count).sum()) < 1e-4, "seed \(seed)")
      }
    }
  }

  @Test("A mask that is a function of the colour passes the guided filter unchanged")
  func guidedFilter() {
    var random = SplitMix64(seed: 4)
    let colours = (0..<1600).map { _ in Colour(random.unit(), random.unit(), random.unit(), 0) }
    let guide = Plane(width: 40, height: 40, values: colours)
    let mask = guide.map { 0.3 * $0.x + 0.5 * $0.y - 0.2 * $0.z + 0.1 }
    let coefficients = GuidedFilter.coefficients(mask: mask, guide: guide, radius: 4, epsilon: 1e-6)
    for index in colours.indices {
      let found = GuidedFilter.value(of: coefficients.values[index], at: colours[index])
      #expect(abs(found - mask.values[index]) < 2e-3)
    }
  }

  /// Left half one colour, right half another, the edge at column `edge`.
  private func halves(_ size: Int, edge: Int, _ left: Colour, _ right: Colour) -> Plane<Colour> {
    Plane(width: size, height: size, values: (0..<size * size).map { $0 % size < edge ? left : right })
  }

  @Test("Doubt is settled by the picture's edge, not by the mask's")
  func edgeWalker() {
    let image = halves(64, edge: 38, Colour(0.2, 0.2, 0.25, 0), Colour(0.6, 0.6, 0.6, 0))
    var regions = [Trimap.Region](repeating: .unknown, count: 64 * 64)
    for index in regions.indices {
      if index % 64 < 12 { regions[index] = .person }
      if index % 64 >= 52 { regions[index] = .background }
    }
    // The networks would put the edge at column 30, without conviction.
    let mask = Plane(width: 64, height: 64, values: (0..<64 * 64).map { $0 % 64 < 30 ? Float(0.6) : 0.4 })
    let found = RandomWalker.probability(image: image, mask: mask, regions: regions)
    for y in [5, 32, 60] {
      #expect(found[36, y] > 0.5 && found[20, y] > 0.5, "row \(y)")
      #expect(found[40, y] < 0.5 && found[48, y] < 0.5, "row \(y)")
    }
  }

  @Test("A cord that goes on into the background belongs to it")
  func cord() {
    // A bright cord runs down beside a dark body; above, it is surely background.
    var image = Plane<Colour>(width: 64, height: 64, repeating: Colour(0.1, 0.2, 0.6, 0))
    var regions = [Trimap.Region](repeating: .background, count: 64 * 64)
    for y in 0..<64 {
      for x in 0..<64 {
        if x >= 36, y >= 16 { image[x, y] = Colour(0.05, 0.05, 0.05, 0) }
        if (30..<36).contains(x) { image[x, y] = Colour(0.9, 0.7, 0.2, 0) }
        if x >= 44, y >= 16 { regions[y * 64 + x] = .person }
        if (24..<44).contains(x), y >= 16 { regions[y * 64 + x] = .unknown }
      }
    }
    let mask = Plane(
      width: 64, height: 64, values: (0..<64 * 64).map { $0 % 64 >= 30 && $0 / 64 >= 16 ? Float(0.6) : 0 })
    let trimap = Trimap(width: 64, height: 64, regions: regions)
    let prior = ColourEvidence.corrected(mask: mask, image: image, trimap: trimap)
    let found = RandomWalker.probability(image: image, mask: prior, regions: regions)
    for y in [20, 32, 40] {
      #expect(found[33, y] < 0.5, "the cord at row \(y)")
      #expect(found[40, y] > 0.5, "the body at row \(y)")
    }
  }

  @Test("Mixed colours give back the opacity they were mixed with")
  func sampleMatting() {
    let (person, background) = (Colour(0.15, 0.1, 0.05, 0), Colour(0.7, 0.8, 0.9, 0))
    let size = 48
    func truth(_ x: Int) -> Float { min(1, max(0, Float(34 - x) / 20)) }
    let image = Plane(
      width: size, height: size,
      values: (0..<size * size).map { person * truth($0 % size) + background * (1 - truth($0 % size)) })
    var regions = [Trimap.Region](repeating: .unknown, count: size * size)
    for index in regions.indices {
      if index % size <= 14 { regions[index] = .person }
      if index % size >= 34 { regions[index] = .background }
    }
    let mask = Plane<Float>(width: size, height: size, repeating: 0.5)
    let trimap = Trimap(width: size, height: size, regions: regions)
    let opacity = SampleMatting(image: image, mask: mask, trimap: trimap).opacity()
    for x in 0..<size { #expect(abs(opacity[x, 24] - truth(x)) < 0.06, "column \(x)") }
  }

  @Test("A fold of the background that reaches the outline is background, a lock before it is not")
  func folds() {
    let size = 64
    let (hat, curtain) = (Colour(0.04, 0.04, 0.05, 0), Colour(0.75, 0.6, 0.3, 0))
    let (fold, lock) = (Colour(0.07, 0.07, 0.16, 0), Colour(0.05, 0.04, 0.05, 0))
    var image = Plane<Colour>(width: size, height: size, repeating: curtain)
    var regions = [Trimap.Region](repeating: .background, count: size * size)
    for y in 0..<size {
      for x in 0..<size {
        // The fold goes on to the top behind a cord, the lock ends before the background is sure.
        let cord = (27..<30).contains(y)
        if y >= 40 { image[x, y] = hat } else if (14..<18).contains(x), !cord { image[x, y] = fold }
        if (44..<47).contains(x), y >= 32 { image[x, y] = lock }
        if y >= 42 { regions[y * size + x] = .person } else if y >= 30 { regions[y * size + x] = .unknown }
      }
    }
    let prior = Plane(width: size, height: size, values: (0..<size * size).map { $0 / size < 40 ? Float(0.02) : 0.9 })
    let trimap = Trimap(width: size, height: size, regions: regions)
    let opacity = SampleMatting(image: image, mask: prior, trimap: trimap).opacity()
    // Not every ray finds the fold again behind the cord, so single pixels may stay half covered.
    let covered = (32..<38).flatMap { y in (14..<18).map { x in opacity[x, y] } }
    #expect(covered.reduce(0, +) / Float(covered.count) < 0.35)
    for y in 32..<38 { #expect(opacity[45, y] > 0.75, "the lock at row \(y)") }
  }

  @Test("The filter adds nothing outside the outline that the samples did not find, and leaves the inside alone")
  func spurs() {
    let size = 24
    let image = Plane<Colour>(width: size, height: size, repeating: Colour(0.5, 0.5, 0.5, 0))
    let coefficients = Plane<Colour>(width: size, height: size, repeating: Colour(0.4, 0.4, 0.4, 0.2))
    let sampled = Plane(
      width: size, height: size, values: (0..<size * size).map { $0 % size < 8 ? Float(1) : $0 % size < 16 ? 0.3 : 0 })
    let person = (0..<size * size).map { $0 % size >= 20 || $0 % size < 2 }
    let found = MatteBuilder.limitedOutsideOutline(
      coefficients, image, sampled, person: person, isEven: [Bool](repeating: false, count: person.count))
    func opacity(_ x: Int) -> Float { GuidedFilter.value(of: found[x, 12], at: image[x, 12]) }
    for x in [0, 1, 3, 5, 20, 23] { #expect(abs(opacity(x) - 0.8) < 1e-5, "column \(x)") }
    for x in [10, 12, 13] { #expect(abs(opacity(x) - 0.3) < 1e-5, "column \(x)") }
    for x in [18, 19] { #expect(abs(opacity(x)) < 1e-5, "column \(x)") }
  }

  @Test("The person's colour comes back where it was mixed with the background's")
  func layers() {
    let (person, background) = (Colour(0.3, 0.2, 0.1, 0), Colour(0.1, 0.8, 0.2, 0))
    let size = 64
    let opacity = Plane(
      width: size, height: size, values: (0..<size * size).map { min(1, max(0, Float(40 - $0 % size) / 16)) })
    let image = opacity.map { person * $0 + background * (1 - $0) }
    let layers = LayerEstimator.layers(of: image, quarter: image.halved().halved(), opacity: opacity)
    for x in 26..<39 {
      let front = (layers.foreground[x, 30] - person).replacingLast(0)
      let back = (layers.background[x, 30] - background).replacingLast(0)
      #expect((front * front).sum().squareRoot() < 0.12, "column \(x)")
      #expect((back * back).sum().squareRoot() < 0.12, "column \(x)")
    }
  }

  @Test("A hole in the middle of the body is body, a bay of the background is not")
  func holes() {
    var mask = Plane<Float>(width: 120, height: 120, repeating: 0)
    for y in 20..<120 { for x in 30..<90 { mask[x, y] = 1 } }
    for y in 65..<69 { for x in 58..<62 { mask[x, y] = 0.3 } }
    let face = PixelRectangle(x: 50, y: 25, width: 20, height: 15)
    let valid = [Bool](repeating: true, count: 14_400)
    let trimap = Trimap(mask: mask, valid: valid, inner: 2, outer: 3, band: 16, face: face)
    #expect(trimap.regions[67 * 120 + 60] == .person)
    #expect(trimap.regions[60 * 120 + 30] == .unknown)
    #expect(trimap.regions[5 * 120 + 5] == .background)
  }

  @Test("A part that is nearer to somebody else's head is theirs")
  func others() {
    let faces = FacesInView(
      wanted: Rectangle(x: 40, y: 40, width: 30, height: 40),
      others: [Rectangle(x: 140, y: 45, width: 30, height: 40)])
    let mask = faces.withoutOthers(Plane<Float>(width: 200, height: 200, repeating: 1))
    #expect(mask[55, 60] == 1 && mask[55, 150] == 1)
    #expect(mask[155, 65] == 0 && mask[155, 150] < 0.5)
    let alone = FacesInView(wanted: faces.wanted, others: [])
    #expect(alone.withoutOthers(mask).values == mask.values)
  }

  @Test("A head beside the chest stays with the person", arguments: [(85.0, 75.0, true), (85, 45, false), (125, 75, false)])
  func besideChest(x: Double, y: Double, stays: Bool) {
    let faces = FacesInView(
      wanted: Rectangle(x: 60, y: 40, width: 30, height: 40), others: [Rectangle(x: x, y: y, width: 20, height: 26)])
    let mask = faces.withoutOthers(Plane<Float>(width: 200, height: 200, repeating: 1))
    #expect((mask[Int(x) + 10, Int(y) + 13] == 1) == stays)
  }
}
