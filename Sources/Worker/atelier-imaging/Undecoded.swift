import Imaging

/// What decoders miss or spoil of a file, before they read it and afterwards.
extension InputBytes {
  /// Changes the bytes, before anything decodes from them, so that a decoder finds what it would miss, and does not do half
  /// of what ``VipsImage/completed(_:)`` does.
  func prepare(for format: ImageFormat) -> UndecodedProperties {
    switch format {
    case .png:
      if let moved = withBytes({ LatePNGMetadata.moved(beforePixelsOf: Array($0)) }) { replace(with: moved) }
      return .none
    case .heic, .avif:
      let undecoded = withBytes { UndecodedProperties(of: Array($0)) }
      replace(undecoded.replacements)
      reduceToPicture()
      return undecoded
    case .jpeg, .webp: return .none
    }
  }
}

extension VipsImage {
  /// A decoded image with what libheif has not done to it.
  func completed(_ undecoded: UndecodedProperties) throws(VipsFailure) -> VipsImage {
    var image = undecoded.hasLimitedRange ? try withFullRange() : self
    if undecoded.isPremultiplied, image.hasAlpha { image = try image.unpremultiplied() }
    if let aperture = undecoded.cleanAperture {
      let (x, y) = aperture.area(width: width, height: height)
      image = try image.cropped(to: StoredArea(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count))
    }
    return undecoded.orientation == 1 ? image : try image.upright(from: undecoded.orientation)
  }
}
