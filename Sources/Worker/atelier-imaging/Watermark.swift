import Imaging
import Portrait

/// The operator's watermark, decoded.
struct Watermark {
  /// RGB with alpha, 8 bits, not premultiplied.
  private let image: VipsImage

  /// - Throws: `internal`, with a hint for the operator, when the file cannot be decoded.
  init(_ input: InputBytes) throws(ImagingError) {
    do {
      let photo = try Photo(input, limits: .watermark)
      let mark = try photo.region(PixelRectangle(x: 0, y: 0, width: photo.width, height: photo.height), scale: 1)
      guard let opacity = mark.opacity else { throw ImagingError.unreadable }
      image = try .rgba(
        mark.image.pixels, opacity: stride(from: 0, to: opacity.pixels.count, by: 3).map { opacity.pixels[$0] },
        width: mark.image.width, height: mark.image.height)
    } catch let error as ImagingError {
      throw .unusableWatermark(error)
    } catch {
      throw .unusableWatermark(.unreadable)
    }
  }

  /// - Parameter picture: RGB of 8 bits, in memory.
  /// - Returns: the picture with the watermark over all of it.
  func drawn(over picture: VipsImage) throws(VipsFailure) -> VipsImage {
    let layout = WatermarkLayout(
      width: image.width, height: image.height, pictureWidth: picture.width, pictureHeight: picture.height)
    // In memory: it is read once for each place.
    let mark = try image.scaled(width: layout.width, height: layout.height).inMemory()
    let first = try layout.rows(of: mark, left: layout.left, top: layout.top, over: picture)
    let second = try layout.rows(
      of: mark, left: layout.left + layout.columnStep / 2, top: layout.top + layout.rowStep, over: picture)
    return try picture.blended(with: first).blended(with: second).inMemory()
  }
}

extension WatermarkLayout {
  /// Every second row, one of whose watermarks has this corner, as an image with the picture's sides.
  fileprivate func rows(
    of mark: VipsImage, left: Int, top: Int, over picture: VipsImage
  ) throws(VipsFailure) -> VipsImage {
    let cell = (width: columnStep, height: 2 * rowStep)
    // The part of a cell that the picture's edges cut off.
    let cut = (x: (cell.width - left % cell.width) % cell.width, y: (cell.height - top % cell.height) % cell.height)
    return try mark.embedded(width: cell.width, height: cell.height)
      .repeated(
        across: (cut.x + picture.width) / cell.width + 1, down: (cut.y + picture.height) / cell.height + 1)
      .cropped(to: StoredArea(x: cut.x, y: cut.y, width: picture.width, height: picture.height))
  }
}

extension ImageLimits {
  fileprivate static let watermark = ImageLimits(
    minimumSide: WatermarkFile.sides.lowerBound, maximumSide: WatermarkFile.sides.upperBound,
    maximumPixels: WatermarkFile.sides.upperBound * WatermarkFile.sides.upperBound)
}

extension ImagingError {
  /// The picture is not to blame, nor can the person do anything about it.
  fileprivate static func unusableWatermark(_ reason: ImagingError) -> ImagingError {
    ImagingError(
      .internal, WatermarkFile.missing,
      hint: "The file of pictures.watermark cannot be decoded. Save it again as a PNG with transparency, and check it with "
        + "`atelier config check`.", details: reason.details)
  }
}
