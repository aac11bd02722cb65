import CVips
import Imaging

extension Photo {
  /// What the header says, in terms of the upright picture.
  static func info(_ header: VipsImage, format: ImageFormat, bytes: Int) -> ImageInfo {
    // libheif turns pictures upright by itself; what EXIF says besides must not turn them again.
    let isStoredUpright = format == .heic || format == .avif
    let orientation = isStoredUpright ? 1 : min(8, max(1, header.orientation))
    let isTurned = orientation >= 5
    return ImageInfo(
      format: format,
      width: isTurned ? header.height : header.width,
      height: isTurned ? header.width : header.height,
      orientation: orientation,
      hasAlpha: header.hasAlpha,
      bitsPerChannel: header.bitsPerBand,
      colourModel: colourModel(header),
      metadata: ImageInfo.Metadata(
        exif: header.has("exif-data"),
        location: header.hasFieldBeginning("exif-ifd3-"),
        xmp: header.has("xmp-data"),
        iptc: header.has("iptc-data"),
        colourProfile: header.has("icc-profile-data")),
      bytes: bytes)
  }

  private static func colourModel(_ header: VipsImage) -> ImageInfo.ColourModel {
    switch header.colour {
    case CVIPS_COLOUR_CMYK: .cmyk
    case CVIPS_COLOUR_GREY: .grey
    default: header.bands < 3 ? .grey : .rgb
    }
  }
}

extension ImageInfo {
  /// The sides after scaling down so that the longer one is at most `longestSide`; never less than 1.
  func size(longestSide: Int) -> (width: Int, height: Int) {
    let longest = max(width, height)
    guard longest > longestSide else { return (width, height) }
    let factor = Double(longestSide) / Double(longest)
    return (max(1, Int((Double(width) * factor).rounded())), max(1, Int((Double(height) * factor).rounded())))
  }
}
