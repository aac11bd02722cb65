/// How sharp a face is, whatever its size and its light, so that a photo out of focus can be told.
enum FaceSharpness {
  private typealias Tuning = FaceTuning.Sharpness

  /// The strength of the finest edges of the face, as a part of its contrast.
  /// - Parameters:
  ///   - image: colours 0…1.
  ///   - face: from chin to forehead and cheek to cheek, in pixels of the image.
  /// - Returns: nil for a face outside the image or without contrast.
  static func value(of face: Rectangle, in image: Plane<Colour>) -> Float? {
    guard let luma = scaled(face, of: image) else { return nil }
    let contrast = quantile(Tuning.contrast.bright, of: luma.values) - quantile(Tuning.contrast.dark, of: luma.values)
    guard contrast > Tuning.leastContrast else { return nil }
    var edges: [Float] = []
    edges.reserveCapacity(luma.values.count)
    for y in 1..<luma.height - 1 {
      for x in 1..<luma.width - 1 {
        let around = luma[x - 1, y] + luma[x + 1, y] + luma[x, y - 1] + luma[x, y + 1]
        edges.append(abs(4 * luma[x, y] - around))
      }
    }
    return quantile(Tuning.edges, of: edges) / contrast
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

  /// The brightness of the face at ``FaceTuning/Sharpness/width``.
  private static func scaled(_ face: Rectangle, of image: Plane<Colour>) -> Plane<Float>? {
    let (left, right) = (max(0, Int(face.x)), min(image.width, Int(face.x + face.width)))
    let (top, bottom) = (max(0, Int(face.y)), min(image.height, Int(face.y + face.height)))
    guard right - left >= Tuning.smallestSide, bottom - top >= Tuning.smallestSide else { return nil }
    var part = Plane<Float>(width: right - left, height: bottom - top, repeating: 0)
    for y in 0..<part.height {
      for x in 0..<part.width { part[x, y] = image[left + x, top + y].luma }
    }
    return part.resized(width: Tuning.width, height: max(3, Tuning.width * part.height / part.width))
  }
}

extension PixelImage {
  /// The sharpness of a face in pixels of the picture; nil for one that is too small to judge.
  func sharpness(of face: Rectangle) -> Float? {
    guard face.width >= FaceTuning.Sharpness.smallestCompared else { return nil }
    let (left, right) = (max(0, Int(face.x)), min(width, Int(face.x + face.width)))
    let (top, bottom) = (max(0, Int(face.y)), min(height, Int(face.y + face.height)))
    guard left < right, top < bottom else { return nil }
    var part = Plane<Colour>(width: right - left, height: bottom - top, repeating: .zero)
    for y in 0..<part.height {
      for x in 0..<part.width {
        let at = ((top + y) * width + left + x) * 3
        part[x, y] = Colour(Float(pixels[at]), Float(pixels[at + 1]), Float(pixels[at + 2]), 0) / 255
      }
    }
    return FaceSharpness.value(
      of: Rectangle(x: 0, y: 0, width: Double(part.width), height: Double(part.height)), in: part)
  }
}
