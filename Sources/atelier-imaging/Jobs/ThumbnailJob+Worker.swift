import Imaging

extension ThumbnailJob: WorkerJob {
  func perform(on input: InputBytes, at bench: Workbench) throws(ImagingError) -> JobOutcome<Report> {
    let pixels = try Photo(input, limits: .preparation).pixels(longestSide: max(1, longestSide))
    do {
      let file = try pixels.jpegFile(quality: min(100, max(1, quality)))
      return JobOutcome(report: Report(width: pixels.width, height: pixels.height), output: file)
    } catch {
      throw ImagingError(unencodable: error)
    }
  }
}
