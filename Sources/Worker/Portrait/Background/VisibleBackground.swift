/// What a photo shows of its own background, as the input of ``SoftFocusBackground``.
enum VisibleBackground {
  private typealias Tuning = BackgroundTuning.Visible

  /// Gamma-coded colours; the fourth number is 1 where the background is visible, and 0 where it has to be filled in.
  ///
  /// Beyond the photo's end, the photo goes on as its mirror image.
  /// - Parameters:
  ///   - image: colours 0…1.
  ///   - opacity: of the person, 0…1.
  ///   - valid: whether the photo has the pixel.
  static func scene(of image: Plane<Colour>, opacity: Plane<Float>, valid: [Bool]) -> Plane<Colour> {
    let (width, height) = (image.width, image.height)
    let person = Morphology.dilated(opacity.values.map { $0 >= Tuning.leastOpacity }, width, height, by: Tuning.margin)
    var scene = image
    for index in scene.values.indices {
      scene.values[index] = image.values[index].replacingLast(valid[index] && !person[index] ? 1 : 0)
    }
    return mirrored(scene, valid: valid)
  }

  /// Continues rows, then columns, beyond their first and last valid pixels.
  private static func mirrored(_ scene: Plane<Colour>, valid: [Bool]) -> Plane<Colour> {
    guard valid.contains(false) else { return scene }
    var result = scene
    let (width, height) = (scene.width, scene.height)
    var rows: [Int] = []
    for y in 0..<height {
      let columns = (0..<width).filter { valid[y * width + $0] }
      guard let first = columns.first, let last = columns.last else { continue }
      rows.append(y)
      for x in 0..<width where x < first || x > last { result[x, y] = scene[mirror(x, first, last), y] }
    }
    guard let first = rows.first, let last = rows.last else { return scene }
    for y in 0..<height where y < first || y > last {
      for x in 0..<width { result[x, y] = result[x, mirror(y, first, last)] }
    }
    return result
  }

  /// The place between `first` and `last` that a place beyond them mirrors.
  static func mirror(_ place: Int, _ first: Int, _ last: Int) -> Int {
    place < first ? min(last, 2 * first - 1 - place) : max(first, 2 * last + 1 - place)
  }
}
