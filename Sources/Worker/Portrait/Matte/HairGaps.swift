/// The background that shows between strands of hair, and in the corners between hair, neck and shoulder.
///
/// The networks see a head of hair as one shape, so that whatever it encloses becomes the person. A pixel in the hair is
/// background after all if its colour is usual in the background next to it, and foreign to the hair and to the skin.
/// Where the colours of both overlap, nothing is opened. But a pixel of the background's colour that hair surrounds is
/// measured, if the networks doubt it, or if it is far brighter or darker than the hair and not too small.
struct HairGaps {
  private typealias Tuning = MatteTuning.HairGaps

  /// The pixels that look like background.
  var open: [Bool]
  /// The middle of wide gaps, which is certainly background.
  var background: [Bool]
  /// The gaps, the doubtful areas, and what is around both in the hair: the pixels whose opacity has to be measured.
  var unknown: [Bool]
  /// The pixels of the background's colour that hair surrounds, open or not.
  private let suspected: [Bool]

  /// - Parameters:
  ///   - image: colours 0…1.
  ///   - person: the outline (``Silhouette``).
  ///   - networks: the networks' mean, 0…1.
  ///   - valid: whether the photo has the pixel.
  /// - Returns: nil where nothing in the hair looks like background.
  static func found(
    in image: Plane<Colour>, person: [Bool], networks: Plane<Float>, valid: [Bool], faces: FacesInView
  ) -> HairGaps? {
    guard let colours = HairColours(of: image, person: person, networks: networks, valid: valid, faces: faces) else {
      return nil
    }
    let (width, height, sides) = (image.width, image.height, colours.sides)
    let deep = Morphology.eroded(person, width, height, by: Tuning.depth)
    var looksOpen = person.map { _ in false }
    var (isSuspected, isDoubted, contrasts) = (looksOpen, looksOpen, looksOpen)
    for index in person.indices where sides[index] && !deep[index] {
      guard let look = colours.look(of: index, in: image) else { continue }
      (looksOpen[index], isSuspected[index]) = (look.isForeign, look.isOfBackground)
      isDoubted[index] = look.isOfBackground && networks.values[index] < Tuning.doubt.confidence
      contrasts[index] = look.contrasts
    }
    func inHair(_ chosen: [Bool], leastArea: Int = Tuning.leastArea) -> [Bool] {
      let areas = withoutNoise(chosen, sides, width, height)
      return surrounded(areas, by: person, width, height, leastArea: leastArea) { index in
        colours.isHair(image.values[index])
      }
    }
    let doubtful = zip(inHair(isDoubted), inHair(contrasts, leastArea: Tuning.leastContrasting)).map { $0 || $1 }
    return HairGaps(
      withoutNoise(looksOpen, sides, width, height), doubtful: doubtful, suspected: inHair(isSuspected), sides: sides,
      person: person, networks: networks, centre: colours.middle)
  }

  /// Single pixels of noise neither make a gap nor part it.
  private static func withoutNoise(_ chosen: [Bool], _ sides: [Bool], _ width: Int, _ height: Int) -> [Bool] {
    guard chosen.contains(true) else { return chosen }
    let votes = BoxBlur.apply(
      Plane(width: width, height: height, values: chosen.map { $0 ? Float(1) : 0 }), radius: 1)
    return chosen.indices.map { sides[$0] && votes.values[$0] > 0.5 }
  }

  /// The areas whose rim is mostly hair of the person. Hats and glasses of the wall's colour are left out.
  private static func surrounded(
    _ chosen: [Bool], by person: [Bool], _ width: Int, _ height: Int, leastArea: Int, isHair: (Int) -> Bool
  ) -> [Bool] {
    guard chosen.contains(true) else { return chosen }
    let (labels, areas) = ConnectedComponents.label(chosen, width: width, height: height)
    var (rim, hair) = ([Int](repeating: 0, count: areas.count), [Int](repeating: 0, count: areas.count))
    let distance = Tuning.rim
    let steps = [(-distance, 0), (distance, 0), (0, -distance), (0, distance)]
    for index in chosen.indices where chosen[index] {
      let (x, y, label) = (index % width, index / width, Int(labels[index]))
      for (dx, dy) in steps {
        let (x, y) = (x + dx, y + dy)
        let neighbour = (0..<width).contains(x) && (0..<height).contains(y) ? y * width + x : nil
        if let neighbour, Int(labels[neighbour]) == label { continue }
        rim[label] += 1
        if let neighbour, person[neighbour], isHair(neighbour) { hair[label] += 1 }
      }
    }
    let isSurrounded = areas.indices.map {
      areas[$0] >= leastArea && Float(hair[$0]) > Tuning.doubt.surrounded * Float(rim[$0])
    }
    return labels.map { $0 > 0 && isSurrounded[Int($0)] }
  }

  /// Opens those gaps that are large enough, and either wide or near the outline; the doubtful areas are only measured.
  /// - Parameter centre: the row of the face's centre; below it, what is narrow and near the outline may be a collar.
  private init?(
    _ dense: [Bool], doubtful: [Bool], suspected: [Bool], sides: [Bool], person: [Bool], networks: Plane<Float>,
    centre: Int
  ) {
    let (width, height) = (networks.width, networks.height)
    guard dense.contains(true) || doubtful.contains(true) || suspected.contains(true) else { return nil }
    let middle = Morphology.eroded(dense, width, height, by: Tuning.rim)
    let shallow = Morphology.eroded(person, width, height, by: Tuning.shallow)
    let (labels, areas) = ConnectedComponents.label(dense, width: width, height: height)
    var isWide = [Bool](repeating: false, count: areas.count)
    let inside = Morphology.eroded(person, width, height, by: Tuning.certain.inside)
    // How far the networks' confidence is above the limit, summed over the pixels inside.
    var confidence = [Float](repeating: 0, count: areas.count)
    for index in dense.indices where dense[index] {
      let label = Int(labels[index])
      if middle[index] || !shallow[index] && index / width < centre { isWide[label] = true }
      if inside[index] { confidence[label] += networks.values[index] - Tuning.certain.confidence }
    }
    let isKept = areas.indices.map { isWide[$0] && areas[$0] >= Tuning.leastArea && confidence[$0] <= 0 }
    let open = dense.indices.map { dense[$0] && isKept[Int(labels[$0])] }
    let background = open.indices.map { open[$0] && middle[$0] }
    let around = Morphology.dilated(open.indices.map { open[$0] || doubtful[$0] }, width, height, by: Tuning.margin)
    unknown = around.indices.map { around[$0] && sides[$0] && !background[$0] }
    (self.open, self.background, self.suspected) = (open, background, suspected)
  }

  /// Opens the gaps in the regions, in the prior of the opacity and in the outline.
  func open(_ trimap: inout Trimap, _ prior: inout Plane<Float>, _ person: inout [Bool]) {
    for index in person.indices {
      if background[index] {
        trimap.regions[index] = .background
      } else if unknown[index] {
        trimap.regions[index] = .unknown
        prior.values[index] = min(prior.values[index], open[index] ? Tuning.prior.open : Tuning.prior.around)
      }
      if open[index] { person[index] = false }
    }
  }

  /// The number of pixels in the hair that have the background's colour and remain part of the person.
  func remaining(in opacity: Plane<Float>) -> Int {
    suspected.indices.count { suspected[$0] && opacity.values[$0] > 0.5 }
  }
}
