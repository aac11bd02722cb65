import Imaging
import Portrait

/// What stays between jobs, and the way to tell of progress. Lives on the job thread.
final class Workbench {
  private var loadedStudio: Studio?
  /// Who hears of the present job's progress.
  var report: (JobProgress) -> Void = { _ in }

  /// The networks, loaded and checked at first use.
  func studio() throws(PortraitError) -> Studio {
    if let loadedStudio { return loadedStudio }
    let studio = try Studio()
    loadedStudio = studio
    return studio
  }

  func tell(_ step: HeadshotStep, _ fraction: Double) {
    report(JobProgress(step: step, fraction: fraction))
  }
}
