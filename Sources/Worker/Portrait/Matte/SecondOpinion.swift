/// Corrects large areas in which three networks together know better than the views of one.
///
/// Found on 117 portraits and confirmed on 86 others: where one network hesitates and the two others see no person, there is
/// none, unless the area has the person's colours; and what is lost of an arm at the photo's edge is found by the two
/// together. A network that misses most of what is certain to be the person says nothing about the rest.
enum SecondOpinion {
  private typealias Tuning = MatteTuning.Secondary

  /// Whether so much is uncertain that two more networks are worth their time.
  /// - Parameters:
  ///   - mean: the mean of all views, 0…1.
  ///   - keepsEverybody: whether more people than one are shown. The pose network looks for one, and would vote against
  ///     the others.
  static func isWorthIt(for mean: Plane<Float>, keepsEverybody: Bool) -> Bool {
    !keepsEverybody && ViewDisagreement.uncertainty(of: mean).cores.count { $0 } >= Tuning.leastDoubt
  }

  /// - Parameters:
  ///   - image: the square, colours 0…1, of the same size.
  ///   - resolved: the mean after ``ViewDisagreement``.
  ///   - mean: the mean of all views, of the same size.
  ///   - valid: whether the photo has the pixel.
  ///   - face: the face's box in pixels; nothing of the head is taken for background.
  static func corrected(
    _ resolved: Plane<Float>, mean: Plane<Float>, of image: Plane<Colour>, by opinions: SecondarySegmenter.Opinions,
    valid: [Bool], face: Rectangle
  ) -> Plane<Float> {
    guard opinions.all.allSatisfy({ sees(mean, $0, valid) }) else { return resolved }
    var result = resolved
    let kept = kept(resolved, mean, image, opinions, valid, face)
    for index in kept.indices(where: { $0 }).ranges.joined() {
      result.values[index] = min(result.values[index], Tuning.result.background)
    }
    for index in lost(resolved, opinions, valid).indices(where: { $0 }).ranges.joined() {
      result.values[index] = max(result.values[index], Tuning.result.person)
    }
    return result
  }

  /// Whether a network sees most of what is certain to be the person.
  private static func sees(_ mean: Plane<Float>, _ opinion: Plane<Float>, _ valid: [Bool]) -> Bool {
    let certain = mean.values.indices.filter { valid[$0] && mean.values[$0] > Tuning.sight.certain }
    return Double(certain.count { opinion.values[$0] > 0.5 }) >= Tuning.sight.part * Double(certain.count)
  }

  /// Thick areas beside the background that are kept though the one network hesitates and the others see no person, unless
  /// their colours are the person's.
  private static func kept(
    _ resolved: Plane<Float>, _ mean: Plane<Float>, _ image: Plane<Colour>, _ opinions: SecondarySegmenter.Opinions,
    _ valid: [Bool], _ face: Rectangle
  ) -> [Bool] {
    let (width, height) = (mean.width, mean.height)
    let lowest = Int(Double(height) * Tuning.lowest)
    let isDoubted = mean.values.indices.map { index in
      valid[index] && index / width < lowest && resolved.values[index] > Tuning.result.background
        && mean.values[index] <= Tuning.kept.mean && opinions.salience.values[index] < Tuning.kept.salience
        && opinions.pose.values[index] <= Tuning.kept.pose
        && !ViewDisagreement.isHead(Double(index % width) + 0.5, Double(index / width) + 0.5, face: face)
    }
    let cores = Morphology.eroded(isDoubted, width, height, by: Tuning.kept.reach)
    let near = Morphology.dilated(cores, width, height, by: Tuning.kept.reach)
    let thick = zip(isDoubted, near).map { $0 && $1 }
    // What the person encloses is a fold or a print.
    let (labels, areas) = ConnectedComponents.label(thick, width: width, height: height)
    let behind = Morphology.dilated(
      resolved.values.indices.map { !valid[$0] || resolved.values[$0] < Tuning.result.beside }, width, height, by: 1)
    var isBeside = [Bool](repeating: false, count: areas.count)
    for index in labels.indices where labels[index] > 0 && behind[index] { isBeside[Int(labels[index])] = true }
    for area in areas.indices.dropFirst() where isBeside[area] {
      isBeside[area] = !continuesPerson(labels.map { Int($0) == area }, in: image, mean, valid)
    }
    return labels.map { $0 > 0 && isBeside[Int($0)] }
  }

  /// Whether most of an area has the colours of the person beside it rather than those of the background beside it, as at
  /// the ends of dark hair before a dark wall.
  private static func continuesPerson(
    _ area: [Bool], in image: Plane<Colour>, _ mean: Plane<Float>, _ valid: [Bool]
  ) -> Bool {
    let near = Morphology.dilated(area, image.width, image.height, by: Tuning.colours.reach)
    let around = area.indices.filter { near[$0] && !area[$0] && valid[$0] }
    func clusters(_ isMeant: (Float) -> Bool) -> ColourClusters? {
      let samples = around.filter { isMeant(mean.values[$0]) }
      guard samples.count >= Tuning.colours.leastSamples else { return nil }
      return ColourClusters(of: samples.map { image.values[$0] }, count: Tuning.colours.clusters)
    }
    guard let person = clusters({ $0 > Tuning.sight.certain }) else { return false }
    guard let behind = clusters({ $0 < 1 - Tuning.sight.certain }) else { return false }
    let places = area.indices.filter { area[$0] }.map { ColourClusters.place(image.values[$0]) }
    let nearer = places.count { person.distance(to: $0) + Tuning.colours.nearer < behind.distance(to: $0) }
    return nearer * 2 > places.count
  }

  /// Large areas that are lost though they stand out and look like a part of the body, and that the edge of the photo cuts,
  /// as arms and shoulders.
  private static func lost(
    _ resolved: Plane<Float>, _ opinions: SecondarySegmenter.Opinions, _ valid: [Bool]
  ) -> [Bool] {
    let (width, height) = (resolved.width, resolved.height)
    let isLost = resolved.values.indices.map { index in
      valid[index] && resolved.values[index] < 0.5 && opinions.salience.values[index] > Tuning.lost.salience
    }
    let (labels, areas) = ConnectedComponents.label(isLost, width: width, height: height)
    let inside = Morphology.eroded(framed(valid, width, height), width, height, by: 1)
    var isCut = [Bool](repeating: false, count: areas.count)
    var body = [Float](repeating: 0, count: areas.count)
    for index in labels.indices where labels[index] > 0 {
      body[Int(labels[index])] += opinions.pose.values[index]
      if !inside[index] { isCut[Int(labels[index])] = true }
    }
    let isPerson = areas.indices.map {
      isCut[$0] && areas[$0] > Tuning.lost.area && body[$0] > Tuning.lost.pose * Float(areas[$0])
    }
    return labels.map { $0 > 0 && isPerson[Int($0)] }
  }

  /// Without the outermost pixels, which the edge of the square cuts.
  private static func framed(_ valid: [Bool], _ width: Int, _ height: Int) -> [Bool] {
    valid.indices.map { index in
      let (x, y) = (index % width, index / width)
      return valid[index] && x > 0 && y > 0 && x < width - 1 && y < height - 1
    }
  }
}
