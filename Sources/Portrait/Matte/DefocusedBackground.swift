/// What is out of focus behind a sharp head, such as another person's head, and was taken for a part of the person.
///
/// The networks take other heads for the person. Where the lens had only the person in focus, the outline around such a
/// head is blurred, and the person's own outline is a sharp edge inside. Hair that is out of focus itself has no sharp
/// edge on its inner side.
struct DefocusedBackground {
  /// The share of a stretch of the outline that is blurred, within so many pixels to either side, where the width of so
  /// many pixels can be told.
  private static let stretch = (share: Float(0.6), reach: 20, least: Float(20))
  /// Edges with a gradient of this part of the face's sharpest ones, and of at least this, bound an area, with a margin of
  /// so many pixels.
  private static let bound = (part: Float(0.3), least: Float(0.07), margin: 2)
  /// The gradient of the sharpest edges of a face in focus, at least, and the part of the face that has them.
  private static let sharpFace = (gradient: Float(0.12), part: Float(0.03))
  /// An area's size, half its thickness, the share of its outer edge that is blurred, and of its inner edge that is sharp,
  /// at least. Beside other heads 0.5 to 1 of the inner edge was sharp, in hair 0.1 to 0.4.
  private static let area = (size: 600, thickness: 4, blurred: 0.6, sharp: 0.45)
  /// The edges of an area are looked for within so many pixels of it.
  private static let edge = (outer: 4, inner: 5)
  /// What is left of its rim, within so many pixels of it or of the blurred outline, is thinner than this to either side.
  private static let rest = (near: 14, thickness: 6)
  /// Tips are looked for this far inside the outline, and this far from an area, in pixels.
  private static let tip = (depth: 12, reach: 40)
  /// How far the blur goes on outside of an area.
  private static let rim = 20

  private let person: [Bool]
  private let face: Rectangle
  private let edges: EdgeWidth
  /// Where the outline is an edge whose width can be told, and where that is blurred.
  private let isKnown: [Bool]
  private let isBlurred: [Bool]

  /// Takes what is out of focus out of the outline.
  /// - Parameters:
  ///   - person: the outline.
  ///   - image: colours 0…1.
  /// - Returns: what was taken out and its blurred rim, where no hair is to be looked for.
  static func remove(from person: inout [Bool], image: Plane<Colour>, faces: FacesInView) -> [Bool] {
    let search = DefocusedBackground(person: person, image: image, face: faces.wanted)
    let nothing = [Bool](repeating: false, count: person.count)
    guard let stretches = search.blurredStretches() else { return nothing }
    let gradients = search.edges.gradients()
    guard let limit = search.limit(gradients) else { return nothing }
    let isEdge = gradients.map { $0 > limit }
    let areas = search.areas(behind: stretches, isEdge, seed: faces.seed)
    guard areas.contains(true) else { return nothing }
    let left = search.person(without: search.withTips(areas, isEdge), behind: stretches, seed: faces.seed)
    let removed = zip(person, left).map { $0 && !$1 }
    person = left
    return Morphology.dilated(removed, image.width, image.height, by: rim)
  }

  private init(person: [Bool], image: Plane<Colour>, face: Rectangle) {
    (self.person, self.face) = (person, face)
    edges = EdgeWidth(image: image)
    var isKnown = [Bool](repeating: false, count: person.count)
    var isBlurred = isKnown
    // Beside the edge of the picture, the photo's own end is an edge too.
    let (width, margin) = (image.width, 4)
    // Shoulders are often out of focus.
    let chin = max(margin, min(image.height - margin, Int(face.y + face.height)))
    for y in margin..<chin {
      for x in margin..<width - margin {
        let at = y * width + x
        guard person[at], !(person[at - 1] && person[at + 1] && person[at - width] && person[at + width]) else { continue }
        guard let edge = edges.width(x, y) else { continue }
        isKnown[at] = true
        isBlurred[at] = edge > EdgeWidth.blurred
      }
    }
    (self.isKnown, self.isBlurred) = (isKnown, isBlurred)
  }

  private var width: Int { edges.image.width }
  private var height: Int { edges.image.height }

  /// The outline where nearly all around is blurred; nil when there is no such place.
  private func blurredStretches() -> [Bool]? {
    // Most outlines have a few blurred pixels, and need no more than this.
    guard Float(isBlurred.count { $0 }) > Self.stretch.share * Self.stretch.least else { return nil }
    func count(_ chosen: [Bool]) -> [Float] {
      let plane = Plane<Float>(width: width, height: height, values: chosen.map { $0 ? 1 : 0 })
      let window = Float((2 * Self.stretch.reach + 1) * (2 * Self.stretch.reach + 1))
      return BoxBlur.apply(plane, radius: Self.stretch.reach).values.map { $0 * window }
    }
    let (known, blurred) = (count(isKnown), count(isBlurred))
    let result = person.indices.map { index in
      isKnown[index] && known[index] >= Self.stretch.least && blurred[index] > Self.stretch.share * known[index]
    }
    return result.contains(true) ? result : nil
  }

  /// What lies between the blurred outline and the next sharp edges, and is bounded by them.
  private func areas(behind stretches: [Bool], _ isEdge: [Bool], seed: PixelRectangle) -> [Bool] {
    let bounds = Morphology.dilated(isEdge, width, height, by: Self.bound.margin)
    let (labels, sizes) = ConnectedComponents.label(
      zip(person, bounds).map { $0 && !$1 }, width: width, height: height)
    let start = Morphology.dilated(stretches, width, height, by: 3 * Self.bound.margin)
    var isCandidate = [Bool](repeating: false, count: sizes.count)
    for index in labels.indices where start[index] { isCandidate[Int(labels[index])] = true }
    // The face, and what goes on below the picture, is the person.
    let (columns, rows) = seed.clipped(width: width, height: height)
    for y in rows {
      for x in columns { isCandidate[Int(labels[y * width + x])] = false }
    }
    for x in 0..<width { isCandidate[Int(labels[(height - 1) * width + x])] = false }
    isCandidate[0] = false
    var result = [Bool](repeating: false, count: person.count)
    let isDeep = Morphology.eroded(person, width, height, by: Self.edge.inner + 1)
    for label in sizes.indices where isCandidate[label] && sizes[label] >= Self.area.size {
      let area = labels.map { $0 == Int32(label) }
      if isBehind(area, isDeep) { result = zip(result, area).map { $0 || $1 } }
    }
    return result
  }

  /// The gradient from which on an edge bounds an area; nil for a face out of focus.
  private func limit(_ gradients: [Float]) -> Float? {
    let (columns, rows) = PixelRectangle(
      x: Int(face.x), y: Int(face.y), width: Int(face.width), height: Int(face.height)
    ).clipped(width: width, height: height)
    let values = rows.flatMap { y in columns.map { gradients[y * width + $0] } }.sorted(by: >)
    let place = Int(Self.sharpFace.part * Float(values.count))
    guard values.indices.contains(place), values[place] >= Self.sharpFace.gradient else { return nil }
    return max(Self.bound.least, Self.bound.part * values[place])
  }

  /// Whether an area is thick, blurred outside and sharp inside.
  /// - Parameter isDeep: whether a pixel is inside the outline, beyond an area's own outer edge.
  private func isBehind(_ area: [Bool], _ isDeep: [Bool]) -> Bool {
    guard Morphology.eroded(area, width, height, by: Self.area.thickness).contains(true) else { return false }
    let outer = Morphology.dilated(area, width, height, by: Self.edge.outer)
    let (known, blurred) = person.indices.reduce(into: (0, 0)) { counts, index in
      if outer[index], isKnown[index] {
        counts.0 += 1
        if isBlurred[index] { counts.1 += 1 }
      }
    }
    guard Float(known) >= Self.stretch.least, Double(blurred) > Self.area.blurred * Double(known) else { return false }
    let inner = Morphology.dilated(area, width, height, by: Self.edge.inner)
    var (sharp, all) = (0, 0)
    for index in person.indices where inner[index] && !outer[index] && isDeep[index] {
      all += 1
      if let edge = edges.width(index % width, index / width), edge < EdgeWidth.sharp { sharp += 1 }
    }
    return Double(sharp) > Self.area.sharp * Double(all)
  }

  /// The areas with their tips, which end between the blurred outline and the sharp edge.
  private func withTips(_ areas: [Bool], _ isEdge: [Bool]) -> [Bool] {
    let inside = Morphology.eroded(person, width, height, by: Self.tip.depth)
    let near = Morphology.dilated(areas, width, height, by: Self.tip.reach)
    let (labels, sizes) = ConnectedComponents.label(
      person.indices.map { areas[$0] || near[$0] && person[$0] && !inside[$0] && !isEdge[$0] }, width: width,
      height: height)
    var isKept = [Bool](repeating: false, count: sizes.count)
    for index in labels.indices where areas[index] { isKept[Int(labels[index])] = true }
    return labels.map { $0 > 0 && isKept[Int($0)] }
  }

  /// Cuts the areas out up to the edges that bound them, with the thin rests of their rims.
  private func person(without areas: [Bool], behind stretches: [Bool], seed: PixelRectangle) -> [Bool] {
    let cut = Morphology.dilated(areas, width, height, by: Self.bound.margin + 1)
    let left = zip(person, cut).map { $0 && !$1 }
    let core = ConnectedComponents.largest(
      Morphology.eroded(left, width, height, by: Self.rest.thickness), width: width, height: height, meeting: seed)
    let thick = Morphology.dilated(core, width, height, by: Self.rest.thickness + 1)
    let near = Morphology.dilated(zip(areas, stretches).map { $0 || $1 }, width, height, by: Self.rest.near)
    return left.indices.map { left[$0] && (thick[$0] || !near[$0]) }
  }
}
