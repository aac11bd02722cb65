import Imaging
import JSONRPC

extension PrepareJob: WorkerJob {
  func perform(on input: InputBytes, at bench: Workbench) throws(ImagingError) -> JobOutcome<Report> {
    let photo = try Photo(input, limits: limits)
    // Decoded even when it is passed through: nobody else should find out that it is damaged.
    let pixels = try photo.pixels(longestSide: longestSide)
    if passesThrough(photo) {
      let report = Report(
        format: photo.info.format, width: photo.info.width, height: photo.info.height, original: photo.info,
        changes: [])
      return JobOutcome(report: report)
    }
    let file = try encode(pixels)
    let report = Report(
      format: .jpeg, width: pixels.width, height: pixels.height, original: photo.info, changes: changes(to: photo.info))
    return JobOutcome(report: report, output: file)
  }

  /// True when the file itself is already what preparing would aim at (REQUIREMENTS 2.4).
  private func passesThrough(_ photo: Photo) -> Bool {
    let info = photo.info
    return max(info.width, info.height) <= longestSide && info.bytes <= maximumBytes && info.orientation == 1
      && !info.hasAlpha && info.colourModel == .rgb && info.bitsPerChannel == 8
      && photo.input.withBytes { PlainFile.holdsOnlyPixels(Array($0), format: info.format) }
  }

  private func encode(_ pixels: VipsImage) throws(ImagingError) -> [UInt8] {
    var smallest = Int.max
    for quality in qualities {
      do {
        let file = try pixels.jpegFile(quality: quality)
        if file.count <= maximumBytes { return file }
        smallest = min(smallest, file.count)
      } catch {
        throw ImagingError(unencodable: error)
      }
    }
    throw ImagingError(
      .imageTooLarge,
      "The picture cannot be made small enough to be sent. Please use one with less detail, or crop it.",
      details: ["bytes": .number(JSONNumber(smallest)), "maxBytes": .number(JSONNumber(maximumBytes))])
  }

  /// From the wanted quality down in steps of ten; below 30 faces fall apart.
  private var qualities: [Int] {
    let first = min(100, max(1, quality))
    return [first] + stride(from: first - 10, through: 30, by: -10)
  }

  private func changes(to original: ImageInfo) -> [ImageChange] {
    let metadata = original.metadata
    let hadMetadata =
      metadata.exif || metadata.xmp || metadata.iptc || metadata.colourProfile
    let wasConverted =
      metadata.colourProfile || original.colourModel != .rgb || original.bitsPerChannel != 8
    let happened: [(ImageChange, Bool)] = [
      (.rotated, original.orientation != 1),
      (.resized, max(original.width, original.height) > longestSide),
      (.metadataRemoved, hadMetadata),
      (.colorConverted, wasConverted),
      (.transparencyFlattened, original.hasAlpha),
      (.formatChanged, original.format != .jpeg),
      (.recompressed, original.format == .jpeg),
    ]
    return happened.filter(\.1).map(\.0)
  }
}
