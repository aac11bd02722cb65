/// Corrects large areas in which three networks together know better than the views of one.
///
/// Found on 117 portraits and confirmed on 86 others: where one network hesitates and the two others see no person, there is
/// none, unless the area has the person's colours. No network alone has a veto: what the mean of the three doubts is
/// background if it has the background's colours, and what it sees beside the person is the person, unless it has those. A
/// network that misses most of what is certain to be the person says nothing about the rest.
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
    for index in lost(resolved, mean, image, opinions, valid).indices(where: { $0 }).ranges.joined() {
      result.values[index] = max(result.values[index], Tuning.result.person)
    }
    return result
  }

  /// Whether a network sees most of what is certain to be the person.
  private static func sees(_ mean: Plane<Float>, _ opinion: Plane<Float>, _ valid: [Bool]) -> Bool {
    let certain = mean.values.indices.filter { valid[$0] && mean.values[$0] > Tuning.sight.certain }
    return Double(certain.count { opinion.values[$0] > 0.5 }) >= Tuning.sight.part * Double(certain.count)
  }

  /// Thick areas beside the background that are kept though all three networks doubt them, unless their colours are the
  /// person's; and those that the three doubt together, if their colours are the background's as well.
  private static func kept(
    _ resolved: Plane<Float>, _ mean: Plane<Float>, _ image: Plane<Colour>, _ opinions: SecondarySegmenter.Opinions,
    _ valid: [Bool], _ face: Rectangle
  ) -> [Bool] {
    let (width, height) = (mean.width, mean.height)
    let lowest = Int(Double(height) * Tuning.lowest)
    let mayGo = mean.values.indices.map { index in
      valid[index] && index / width < lowest && resolved.values[index] > Tuning.result.background
        && !ViewDisagreement.isHead(Double(index % width) + 0.5, Double(index / width) + 0.5, face: face)
    }
    let behind = Morphology.dilated(
      resolved.values.indices.map { !valid[$0] || resolved.values[$0] < Tuning.result.beside }, width, height, by: 1)
    // What the person encloses is a fold or a print.
    let one = areas(
      mayGo.indices.map { index in
        mayGo[index] && mean.values[index] <= Tuning.kept.mean && opinions.salience.values[index] < Tuning.kept.salience
          && opinions.pose.values[index] <= Tuning.kept.pose
      }, reach: Tuning.kept.reach, beside: behind, width, height
    ) { area in resemblance(of: area, in: image, mean, valid) != .person }
    let together = areas(
      mayGo.indices.map { mayGo[$0] && consensus(mean, opinions, $0) < Tuning.kept.together }, reach: Tuning.kept.reach,
      beside: behind, width, height
    ) { area in resemblance(of: area, in: image, mean, valid) == .background }
    return zip(one, together).map { $0 || $1 }
  }

  /// The mean of the three networks.
  private static func consensus(_ mean: Plane<Float>, _ opinions: SecondarySegmenter.Opinions, _ index: Int) -> Float {
    (mean.values[index] + opinions.salience.values[index] + opinions.pose.values[index]) / 3
  }

  /// The connected areas of chosen pixels that are thicker than an edge, touch `beside`, and are accepted.
  private static func areas(
    _ chosen: [Bool], reach: Int, beside: [Bool], _ width: Int, _ height: Int, where isAccepted: ([Bool]) -> Bool
  ) -> [Bool] {
    let cores = Morphology.eroded(chosen, width, height, by: reach)
    guard cores.contains(true) else { return chosen.map { _ in false } }
    let near = Morphology.dilated(cores, width, height, by: reach)
    let (labels, sizes) = ConnectedComponents.label(zip(chosen, near).map { $0 && $1 }, width: width, height: height)
    var isMeant = [Bool](repeating: false, count: sizes.count)
    for index in labels.indices where labels[index] > 0 && beside[index] { isMeant[Int(labels[index])] = true }
    for area in sizes.indices.dropFirst() where isMeant[area] { isMeant[area] = isAccepted(labels.map { Int($0) == area }) }
    return labels.map { $0 > 0 && isMeant[Int($0)] }
  }

  private enum Resemblance {
    case person, background, neither
  }

  /// Whether most of an area has the colours of the person beside it rather than those of the background beside it, as at
  /// the ends of dark hair before a dark wall; or the other way round.
  private static func resemblance(
    of area: [Bool], in image: Plane<Colour>, _ mean: Plane<Float>, _ valid: [Bool]
  ) -> Resemblance {
    let near = Morphology.dilated(area, image.width, image.height, by: Tuning.colours.reach)
    let around = area.indices.filter { near[$0] && !area[$0] && valid[$0] }
    func clusters(_ isMeant: (Float) -> Bool) -> ColourClusters? {
      let samples = around.filter { isMeant(mean.values[$0]) }
      guard samples.count >= Tuning.colours.leastSamples else { return nil }
      return ColourClusters(of: samples.map { image.values[$0] }, count: Tuning.colours.clusters)
    }
    guard let person = clusters({ $0 > Tuning.sight.certain }) else { return .neither }
    guard let behind = clusters({ $0 < 1 - Tuning.sight.certain }) else { return .neither }
    let distances = area.indices.filter { area[$0] }.map { index in
      let place = ColourClusters.place(image.values[index])
      return (person: person.distance(to: place), behind: behind.distance(to: place))
    }
    if distances.count(where: { $0.person + Tuning.colours.nearer < $0.behind }) * 2 > distances.count { return .person }
    if distances.count(where: { $0.behind + Tuning.colours.nearer < $0.person }) * 2 > distances.count { return .background }
    return .neither
  }

  /// Areas beside the person that are lost though the three networks together see somebody, as arms and shoulders, unless
  /// their colours are the background's.
  private static func lost(
    _ resolved: Plane<Float>, _ mean: Plane<Float>, _ image: Plane<Colour>, _ opinions: SecondarySegmenter.Opinions,
    _ valid: [Bool]
  ) -> [Bool] {
    let (width, height) = (resolved.width, resolved.height)
    let isLost = resolved.values.indices.map { index in
      valid[index] && resolved.values[index] < 0.5 && consensus(mean, opinions, index) > Tuning.lost.together
        && opinions.salience.values[index] > Tuning.lost.salience && opinions.pose.values[index] > Tuning.lost.pose
    }
    let person = Morphology.dilated(
      resolved.values.indices.map { valid[$0] && resolved.values[$0] >= 0.5 }, width, height, by: Tuning.lost.reach)
    return areas(isLost, reach: Tuning.lost.reach, beside: person, width, height) { area in
      resemblance(of: area, in: image, mean, valid) != .background
    }
  }
}
