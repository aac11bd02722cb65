import Glibc
import Testing

@testable import Portrait

@Suite("Gaps in the hair")
struct HairGapsTests {
  private static let size = 256
  private static let faces = FacesInView(wanted: Rectangle(x: 98, y: 100, width: 60, height: 80), others: [])

  /// A head of hair around a face, before a wall, with round holes in the hair or the shirt.
  private struct Scene {
    var wall = Colour(0.85, 0.75, 0.25, 0)
    var hair = Colour(0.25, 0.18, 0.12, 0)
    var shirt = Colour(0.1, 0.2, 0.5, 0)
    /// Centres and radii in pixels.
    var holes = [(x: 60, y: 110, radius: 9), (x: 128, y: 46, radius: 6), (x: 200, y: 140, radius: 9)]
    /// What is seen in the holes; nil for the wall.
    var inside: Colour?

    func isHole(_ x: Int, _ y: Int) -> Bool {
      holes.contains { hypot(Double(x - $0.x), Double(y - $0.y)) < Double($0.radius) }
    }

    private func isHead(_ x: Int, _ y: Int) -> Bool { hypot(Double(x - 128), Double(y - 130)) < 96 }
    private func isFace(_ x: Int, _ y: Int) -> Bool {
      hypot(Double(x - 128) / 31, Double(y - 133) / 49) < 1
    }

    private func isPerson(_ x: Int, _ y: Int) -> Bool { isHead(x, y) || y > 190 && abs(x - 128) < 110 }

    var person: [Bool] {
      (0..<size * size).map { isPerson($0 % size, $0 / size) }
    }

    var image: Plane<Colour> {
      let values = (0..<size * size).map { index -> Colour in
        let (x, y) = (index % size, index / size)
        let noise = Colour(repeating: 0.01) * Noise.value(x, y)
        if isFace(x, y) { return Colour(0.8, 0.6, 0.5, 0) + noise }
        if isHole(x, y) { return (inside ?? wall) + noise }
        if y > 190, isPerson(x, y) { return shirt + noise }
        if isHead(x, y) { return hair + noise * 4 }
        return wall + noise
      }
      return Plane(width: size, height: size, values: values)
    }

    /// The networks' confidence: certain of the head, less so of what is in its holes.
    func found(confidence: Float = 0.92) -> HairGaps? {
      let person = person
      let networks = Plane(
        width: size, height: size,
        values: person.indices.map { person[$0] ? isHole($0 % size, $0 / size) ? confidence : 1 : 0 })
      return HairGaps.found(
        in: image, person: person, networks: networks, valid: [Bool](repeating: true, count: size * size),
        faces: HairGapsTests.faces)
    }
  }

  @Test("Each hole is found, and nothing else")
  func holes() throws {
    let scene = Scene()
    let gaps = try #require(scene.found())
    let truth = (0..<Self.size * Self.size).filter { scene.isHole($0 % Self.size, $0 / Self.size) }
    let open = gaps.open.indices.filter { gaps.open[$0] }
    let missed = Set(truth).subtracting(open)
    #expect(missed.count < truth.count / 8, "\(missed.count) of \(truth.count) pixels were missed.")
    #expect(Set(open).subtracting(truth).count < truth.count / 20)
    for hole in scene.holes { #expect(gaps.background[hole.y * Self.size + hole.x], "the hole at \(hole)") }
    // Around a hole the opacity is measured.
    #expect(gaps.unknown[110 * Self.size + 60 + 10] && !gaps.unknown[110 * Self.size + 60 + 16])
  }

  @Test("A hole that single hairs cover by half is found before a wall of another hue")
  func mixtures() throws {
    var scene = Scene()
    scene.inside = (scene.wall * 0.6 + scene.hair * 0.4).replacingLast(0)
    let gaps = try #require(scene.found())
    #expect(gaps.open[110 * Self.size + 60])
  }

  @Test("A corner beside the neck is found below the chin")
  func corners() throws {
    var scene = Scene()
    scene.holes = [(x: 50, y: 196, radius: 5)]
    let gaps = try #require(scene.found())
    #expect(gaps.open[196 * Self.size + 50])
    #expect(gaps.open.indices.allSatisfy { !gaps.open[$0] || scene.isHole($0 % Self.size, $0 / Self.size) })
  }

  private static let closedScenes: [(String, @Sendable (inout Scene) -> Void)] = [
    ("hair of the wall's colour", { $0.hair = $0.wall }),
    ("a highlight of another colour than the wall", { $0.inside = Colour(0.7, 0.7, 0.72, 0) }),
    ("skin that shows through", { $0.inside = Colour(0.8, 0.6, 0.5, 0) }),
    ("holes smaller than noise", { $0.holes = [(x: 60, y: 110, radius: 1)] }),
    ("a narrow hole deep in the hair", { $0.holes = [(x: 64, y: 130, radius: 3)] }),
    ("a hole too deep for a gap", { $0.holes = [(x: 92, y: 128, radius: 4)] }),
    ("a hole narrow and near the outline below the face's middle", { $0.holes = [(x: 206, y: 176, radius: 4)] }),
    ("a collar of the wall's colour", { ($0.holes, $0.shirt) = ([(x: 200, y: 160, radius: 9)], $0.wall) }),
    ("an ear", { ($0.holes, $0.inside) = ([(x: 90, y: 134, radius: 9)], Colour(0.72, 0.5, 0.4, 0)) }),
    ("no holes", { $0.holes = [] }),
    ("a shirt of the wall's colour", { ($0.holes, $0.shirt) = ([], $0.wall) }),
  ]

  @Test("Nothing is opened where the colours do not say so", arguments: closedScenes.indices)
  func closed(index: Int) {
    var scene = Scene()
    Self.closedScenes[index].1(&scene)
    let isMeasured = Self.isMeasured(scene.found())
    #expect(!isMeasured, "\(Self.closedScenes[index].0)")
  }

  private static func isMeasured(_ gaps: HairGaps?) -> Bool { gaps?.unknown.contains(true) == true }

  /// A wall of the hair's hue, which alone is no reason to open anything.
  private static var sameHue: Scene { scene(brighter: 1.8) }

  private static func scene(brighter factor: Float) -> Scene {
    var scene = Scene()
    scene.hair = Colour(0.4, 0.22, 0.08, 0)
    scene.wall = (scene.hair * factor).replacingLast(0)
    return scene
  }

  @Test("An area that the networks doubt is measured, but not opened, even where wall and hair have one hue", arguments: [
    (0.7, true), (0.89, true), (0.92, false), (1, false),
  ] as [(Float, Bool)])
  func doubt(confidence: Float, isMeasured: Bool) {
    let scene = Self.sameHue
    let gaps = scene.found(confidence: confidence)
    for hole in scene.holes {
      let index = hole.y * Self.size + hole.x
      let found = (measured: gaps?.unknown[index] ?? false, open: gaps?.open[index] ?? false)
      #expect(found.measured == isMeasured && !found.open)
    }
  }

  @Test("A hole is measured whatever the networks say if its brightness is far from the hair's", arguments: [
    (1.8, false), (2.3, true),
  ] as [(Float, Bool)])
  func contrast(factor: Float, isMeasured: Bool) {
    let scene = Self.scene(brighter: factor)
    let gaps = scene.found(confidence: 0.96)
    for hole in scene.holes {
      let index = hole.y * Self.size + hole.x
      let found = (measured: gaps?.unknown[index] ?? false, open: gaps?.open[index] ?? false)
      #expect(found.measured == isMeasured && !found.open)
    }
  }

  @Test("A hat of the wall's colour, which hair surrounds on one side only, is not measured")
  func hats() {
    var scene = Self.sameHue
    scene.holes = [(x: 128, y: 0, radius: 70)]
    let isHatMeasured = Self.isMeasured(scene.found(confidence: 0.8))
    #expect(!isHatMeasured)
    scene.holes = [(x: 128, y: 60, radius: 12)]
    let isGapMeasured = Self.isMeasured(scene.found(confidence: 0.8))
    #expect(isGapMeasured)
  }

  @Test("Pixels of the wall's colour that stay opaque are counted")
  func remaining() throws {
    var scene = Self.sameHue
    let hole = (x: 60, y: 110, radius: 9)
    scene.holes = [hole]
    func count(opacity: Float) -> Int? {
      scene.found(confidence: 0.96)?.remaining(in: Plane(width: Self.size, height: Self.size, repeating: opacity))
    }
    let area = Double.pi * 81
    #expect(abs(Double(try #require(count(opacity: 1))) - area) < area / 8)
    #expect(count(opacity: 0.4) == 0)
    scene.holes = []
    #expect(count(opacity: 1) ?? 0 == 0)
  }

  @Test("Background in the hair is told of before a flat colour or none, but not before a backdrop")
  func told() throws {
    let portrait = try Fixtures.portrait("astronaut")
    // In a faded photo, hair and wall differ too little for a certain look into the hair.
    func faded(_ colour: (UInt8, UInt8, UInt8)) -> (UInt8, UInt8, UInt8) {
      func level(_ value: UInt8) -> UInt8 { UInt8(Double(value) * 0.4 + 70) }
      return (level(colour.0), level(colour.1), level(colour.2))
    }
    let plain = PixelImage(width: portrait.width, height: portrait.height) { faded(portrait.colour($0, $1)) }
    let photo = PixelImage(width: plain.width, height: plain.height) { x, y in
      hypot(Double(x - 140), Double(y - 60)) < 3 ? plain.colour(112, 60) : plain.colour(x, y)
    }
    let studio = try Studio()
    func isTold(_ photo: PixelImage, _ background: HeadshotOptions.Background) throws -> Bool {
      try studio.headshot(of: photo, options: HeadshotOptions(background: background)).warnings
        .contains { $0.kind == .backgroundInHair }
    }
    #expect(try isTold(photo, .transparent) && isTold(photo, .colour(red: 0, green: 255, blue: 0)))
    #expect(try !isTold(photo, .professional) && !isTold(plain, .transparent))
  }

  @Test("A hole of which the networks are certain, such as a clip, is not opened", arguments: [
    (0.83, true), (0.96, true), (0.966, true), (0.978, false), (0.985, false), (1, false),
  ] as [(Float, Bool)])
  func clips(confidence: Float, isOpen: Bool) {
    let isFound = Scene().found(confidence: confidence)?.open.contains(true) ?? false
    #expect(isFound == isOpen)
  }

  @Test("The networks' doubt at the outline, where they are never certain, opens nothing")
  func doubtAtOutline() {
    var scene = Scene()
    // The outline is 96 pixels from the head's middle, so that a part of each is within five pixels of it.
    scene.holes = [(x: 128, y: 40, radius: 7)]
    func isFound(inside: Float) -> Bool {
      let person = scene.person
      let core = Morphology.eroded(person, Self.size, Self.size, by: 5)
      let networks = Plane(
        width: Self.size, height: Self.size,
        values: person.indices.map { index in
          guard person[index] else { return Float(0) }
          guard core[index] else { return 0.5 }
          return scene.isHole(index % Self.size, index / Self.size) ? inside : 1
        })
      let gaps = HairGaps.found(
        in: scene.image, person: person, networks: networks, valid: [Bool](repeating: true, count: person.count),
        faces: Self.faces)
      return Self.isMeasured(gaps)
    }
    #expect(isFound(inside: 0.9))
    #expect(!isFound(inside: 0.99))
  }

  @Test("A narrow hole near the outline is found above the face's middle, where strands part")
  func shallow() throws {
    var scene = Scene()
    scene.holes = [(x: 60, y: 66, radius: 4)]
    let gaps = try #require(scene.found())
    #expect(gaps.open[66 * Self.size + 60])
  }

  @Test("An opened gap is background in the regions and no part of the outline")
  func opening() throws {
    let scene = Scene()
    let gaps = try #require(scene.found())
    var person = scene.person
    var prior = Plane<Float>(width: Self.size, height: Self.size, repeating: 1)
    var trimap = Trimap(
      width: Self.size, height: Self.size, regions: [Trimap.Region](repeating: .person, count: Self.size * Self.size))
    gaps.open(&trimap, &prior, &person)
    let (middle, beside, far) = (110 * Self.size + 60, 110 * Self.size + 70, 110 * Self.size + 80)
    #expect(trimap.regions[middle] == .background && !person[middle])
    #expect(trimap.regions[beside] == .unknown && person[beside] && prior.values[beside] < 1)
    #expect(trimap.regions[far] == .person && person[far] && prior.values[far] == 1)
  }

  @Test("A photo of one colour, and one without background, have no gaps")
  func degenerate() {
    let plain = Plane<Colour>(width: 64, height: 64, repeating: Colour(0.5, 0.5, 0.5, 0))
    let all = [Bool](repeating: true, count: 64 * 64)
    let faces = FacesInView(wanted: Rectangle(x: -10, y: -30, width: 200, height: 90), others: [])
    let networks = Plane<Float>(width: 64, height: 64, repeating: 1)
    for person in [all, all.map { !$0 }] {
      let found = HairGaps.found(in: plain, person: person, networks: networks, valid: all, faces: faces)
      #expect(found?.open.count == nil)
    }
  }
}

@Suite("Clusters of colours")
struct ColourClustersTests {
  @Test("Colours are near to their own cluster and far from others")
  func distances() {
    let (red, green) = (Colour(0.8, 0.2, 0.2, 0), Colour(0.2, 0.7, 0.3, 0))
    let clusters = ColourClusters(
      of: (0..<60).map { ($0 < 40 ? red : green) + Colour(repeating: 0.01) * Noise.value($0, 3) }, count: 3)
    func distance(_ colour: Colour) -> Float { clusters.distance(to: ColourClusters.place(colour)) }
    #expect(distance(red) < 1.5 && distance(green) < 1.5)
    #expect(distance(Colour(0.2, 0.3, 0.8, 0)) > 8 && distance(Colour(0.9, 0.9, 0.9, 0)) > 8)
    #expect(abs(clusters.clusters.map(\.share).reduce(0, +) - 1) < 1e-5)
  }

  @Test("Colours that differ by noise are one cluster")
  func noise() {
    let colours = (0..<50).map { Colour(repeating: 0.5) + Colour(repeating: 0.02) * Noise.value($0, 1) }
    #expect(ColourClusters(of: colours, count: 4).clusters.count == 1)
  }

  @Test("Shading is nearer than another hue")
  func shading() {
    let clusters = ColourClusters(of: [Colour(0.6, 0.4, 0.3, 0)], count: 2)
    let darker = clusters.distance(to: ColourClusters.place(Colour(0.54, 0.36, 0.27, 0)))
    let bluer = clusters.distance(to: ColourClusters.place(Colour(0.54, 0.4, 0.46, 0)))
    #expect(darker < bluer)
  }

  @Test("An empty list of colours has no clusters")
  func empty() {
    let none = ColourClusters(of: [], count: 3)
    #expect(none.clusters.isEmpty && none.distance(to: .zero) == .infinity)
    #expect(!none.mix(with: none, to: .zero, hue: 0, part: 1, misfit: 1))
  }
}
