/// How sharp a face is, whatever its size and its light, so that a photo out of focus can be told.
enum FaceSharpness {
  /// The width to which a face is scaled before it is measured, in pixels: detail below a 160th of a face is not missed
  /// in a portrait.
  static let width = 160
  /// Narrower faces of the photo, in pixels, are not measured: they lack detail in any focus, and `low_resolution`
  /// says so.
  static let minimumFaceWidth = 128.0
  /// The sharpness below which a face is out of focus. Of 90 portraits, none has less than 0.11; blurred by
  /// 1.5 % of the face's width, all have less than 0.07.
  static let outOfFocus: Float = 0.1

  /// The strength of the finest edges of the face, as a part of its contrast.
  /// - Parameters:
  ///   - image: colours 0…1.
  ///   - face: from chin to forehead and cheek to cheek, in pixels of the image.
  /// - Returns: nil for a face outside the image or without contrast.
  static func value(of face: Rectangle, in image: Plane<Colour>) -> Float? {
    guard let luma = scaled(face, of: image) else { return nil }
    let contrast = quantile(0.95, of: luma.values) - quantile(0.05, of: luma.values)
    guard contrast > 0.04 else { return nil }
    var edges: [Float] = []
    edges.reserveCapacity(luma.values.count)
    for y in 1..<luma.height - 1 {
      for x in 1..<luma.width - 1 {
        let around = luma[x - 1, y] + luma[x + 1, y] + luma[x, y - 1] + luma[x, y + 1]
        edges.append(abs(4 * luma[x, y] - around))
      }
    }
    return quantile(0.98, of: edges) / contrast
  }

  /// The value below which a part of the values, 0 or more, lies: exact to a 4096th, which takes no sorting.
  private static func quantile(_ part: Float, of values: [Float]) -> Float {
    let steps: Float = 4096
    var counts = [Int](repeating: 0, count: Int((values.max() ?? 0) * steps) + 1)
    for value in values { counts[Int(max(0, value) * steps)] += 1 }
    var rest = Int(part * Float(values.count))
    for (place, count) in counts.enumerated() {
      if rest < count { return Float(place) / steps }
      rest -= count
    }
    return values.max() ?? 0
  }

  /// The brightness of the face at ``width``.
  private static func scaled(_ face: Rectangle, of image: Plane<Colour>) -> Plane<Float>? {
    let (left, right) = (max(0, Int(face.x)), min(image.width, Int(face.x + face.width)))
    let (top, bottom) = (max(0, Int(face.y)), min(image.height, Int(face.y + face.height)))
    guard right - left >= 16, bottom - top >= 16 else { return nil }
    var part = Plane<Float>(width: right - left, height: bottom - top, repeating: 0)
    for y in 0..<part.height {
      for x in 0..<part.width { part[x, y] = image[left + x, top + y].luma }
    }
    return part.resized(width: width, height: max(3, width * part.height / part.width))
  }
}
