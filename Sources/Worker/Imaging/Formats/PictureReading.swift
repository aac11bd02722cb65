import JSON
import Localization
import PictureFiles

/// How much of a picture a decoder has in memory.
public enum PictureReading: Sendable, Equatable {
  case whole
  /// Its rows one by one, at a half, a quarter or an eighth of its size.
  case reduced
  /// The whole, because each of its scans has something of each row.
  case wholeForItsScans

  /// The memory for the coefficients of a JPEG in several scans: as much as 60 megapixels need without subsampling.
  private static let mostCoefficientBytes = 360_000_000

  /// - Parameter bytes: a JPEG; only its headers are read.
  public init(jpeg bytes: UnsafeRawBufferPointer) {
    // Headers with metadata and previews are far shorter.
    guard var segments = JPEGSegments(Array(bytes.prefix(4 << 20))) else {
      self = .whole
      return
    }
    var frame: (header: JPEGFrame, isProgressive: Bool)?
    self = .whole
    while let segment = segments.next() {
      if segment.isFrame, let header = JPEGFrame(segment.data) { frame = (header, ![0xc0, 0xc1].contains(segment.marker)) }
      guard segment.isScan else { continue }
      self = Self.reading(frame, firstScan: segment.data)
      return
    }
    if let scan = segments.unfinishedScan { self = Self.reading(frame, firstScan: scan) }
  }

  private static func reading(
    _ frame: (header: JPEGFrame, isProgressive: Bool)?, firstScan: ArraySlice<UInt8>
  ) -> PictureReading {
    guard let frame else { return .whole }
    let isInOneScan = !frame.isProgressive && Int(firstScan.first ?? 0) == frame.header.channels
    return isInOneScan || frame.header.coefficientBytes <= mostCoefficientBytes ? .reduced : .wholeForItsScans
  }
}

extension ImageLimits {
  /// - Parameter reading: how much of the picture has to be in memory.
  /// - Throws: `invalid_dimensions` with the numbers, when a picture of these sides is not allowed.
  public func check(width: Int, height: Int, reading: PictureReading = .whole) throws(ImagingError) {
    guard let problem = problem(width: width, height: height, reading) else { return }
    let details: JSONObject = [
      "width": .number(JSONNumber(width)), "height": .number(JSONNumber(height)),
      "minimumSide": .number(JSONNumber(minimumSide)), "maximumSide": .number(JSONNumber(maximumSide)),
      "maximumPixels": .number(JSONNumber(maximumPixels(reading))),
    ]
    let error = ImagingError(
      .invalidDimensions, "The picture is \(width) × \(height) pixels; \(problem)", details: details)
    throw canBeScaledDown(width: width, height: height, reading) ? error.remediedByPreparation : error
  }

  private func maximumPixels(_ reading: PictureReading) -> Int {
    reading == .reduced ? maximumReducedPixels : maximumPixels
  }

  /// Whether `image/prepare` takes a picture of these sides, and scales it to allowed ones.
  private func canBeScaledDown(width: Int, height: Int, _ reading: PictureReading) -> Bool {
    Self.preparation.problem(width: width, height: height, reading) == nil
      && min(width, height) * min(maximumSide, max(width, height)) >= minimumSide * max(width, height)
  }

  private func problem(width: Int, height: Int, _ reading: PictureReading) -> Sentence? {
    if min(width, height) < minimumSide {
      return "each side must have at least \(minimumSide). Please use a larger picture."
    }
    let (pixels, isHuge) = width.multipliedReportingOverflow(by: height)
    if isHuge || pixels > maximumPixels(reading) {
      let most = maximumPixels(reading) / 1_000_000
      guard reading == .wholeForItsScans else {
        return "at most \(most) megapixels are accepted. Please use a smaller picture."
      }
      return "at most \(most) megapixels are accepted of a JPEG that is stored progressively. Please save it as a JPEG that "
        + "is not, or scale it down."
    }
    if max(width, height) > maximumSide {
      return "each side may have at most \(maximumSide)."
    }
    return nil
  }
}
