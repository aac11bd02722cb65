import Imaging

extension ProbeJob: WorkerJob {
  func perform(on input: InputBytes, at bench: Workbench) throws(ImagingError) -> JobOutcome<ImageInfo> {
    JobOutcome(report: try Photo(input, limits: limits).info)
  }
}
