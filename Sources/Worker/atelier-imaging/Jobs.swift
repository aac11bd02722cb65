import CVips
import Imaging
import JSON

/// Implements a job of the worker. Runs on the job thread and may block it.
protocol WorkerJob: ImagingJob {
  /// Whether the job allocates and frees the same amounts many times.
  static var reusesMemory: Bool { get }
  func perform(on input: InputBytes, at context: JobContext) throws(ImagingError) -> JobOutcome<Report>
}

extension WorkerJob {
  static var reusesMemory: Bool { false }
}

extension PrepareJob: WorkerJob {
  func perform(on input: InputBytes, at context: JobContext) throws(ImagingError) -> JobOutcome<Report> {
    try prepared(try Photo(input, limits: limits))
  }

  func prepared(_ photo: Photo) throws(ImagingError) -> JobOutcome<Report> {
    // Decoded even when it is passed through, so that damage is detected here.
    let pixels = try photo.pixels(longestSide: longestSide)
    if passesThrough(photo) {
      let report = Report(
        format: photo.info.format, width: photo.info.width, height: photo.info.height, original: photo.info,
        changes: [], warnings: photo.warnings)
      return JobOutcome(report: report)
    }
    let file = try encode(pixels)
    let report = Report(
      format: .jpeg, width: pixels.width, height: pixels.height, original: photo.info, changes: changes(to: photo),
      warnings: photo.warnings)
    return JobOutcome(report: report, output: file)
  }

  /// True when the file already meets the goal of preparation.
  private func passesThrough(_ photo: Photo) -> Bool {
    let info = photo.info
    return max(info.width, info.height) <= longestSide && info.bytes <= maximumBytes && photo.orientation == 1
      && !info.hasAlpha && info.colourModel == .rgb && info.bitsPerChannel == 8 && photo.warnings.isEmpty
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

  /// From the requested quality down in steps of ten; below 30, faces show visible artifacts of compression.
  private var qualities: [Int] {
    let first = min(100, max(1, quality))
    return [first] + stride(from: first - 10, through: 30, by: -10)
  }

  private func changes(to photo: Photo) -> [ImageChange] {
    let original = photo.info
    let metadata = original.metadata
    let hadMetadata =
      metadata.exif || metadata.xmp || metadata.iptc || metadata.colourProfile
    let happened: [(ImageChange, Bool)] = [
      (.rotated, photo.orientation != 1),
      (.resized, max(original.width, original.height) > longestSide),
      (.metadataRemoved, hadMetadata),
      (.colorConverted, photo.areColoursConverted),
      (.transparencyFlattened, original.hasAlpha),
      (.formatChanged, original.format != .jpeg),
      (.recompressed, original.format == .jpeg),
    ]
    return happened.filter(\.1).map(\.0)
  }
}

extension InspectJob: WorkerJob {
  func perform(on input: InputBytes, at context: JobContext) throws(ImagingError) -> JobOutcome<ImageInfo> {
    JobOutcome(report: try Photo(input, limits: limits).info)
  }
}

extension ThumbnailJob: WorkerJob {
  /// One comes after each headshot, whose memory the next headshot uses again.
  static var reusesMemory: Bool { true }

  func perform(on input: InputBytes, at context: JobContext) throws(ImagingError) -> JobOutcome<Report> {
    guard let mark = input.takeLast(watermarkBytes) else { throw .unreadable }
    let pixels = try Photo(input, limits: .preparation).pixels(longestSide: max(1, longestSide))
    let watermark = mark.count == 0 ? nil : try Watermark(mark)
    do {
      let pixels = try watermark?.drawn(over: pixels) ?? pixels
      let file = try isPNG ? pixels.pngFile() : pixels.jpegFile(quality: min(100, max(1, quality)))
      return JobOutcome(report: Report(width: pixels.width, height: pixels.height), output: file)
    } catch {
      throw ImagingError(unencodable: error)
    }
  }
}
