import Imaging

/// How the worker does a job. Runs on the job thread and may block it.
protocol WorkerJob: ImagingJob {
  func perform(on input: InputBytes, at bench: Workbench) throws(ImagingError) -> JobOutcome<Report>
}
