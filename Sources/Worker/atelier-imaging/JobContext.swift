import Glibc
import Imaging
import Portrait

/// The state kept between jobs, and progress reporting. Used on the job thread.
final class JobContext {
  private var loadedStudio: Studio?
  /// Those of the operator that can be used.
  var networks: [PersonNetwork] = []
  private var profile: StageProfile?
  /// Receives the current job's progress.
  private var report: (JobProgress) -> Void = { _ in }

  /// - Parameter profiles: whether the duration of each stage is written to standard error.
  init(profiles: Bool) {
    profile = profiles ? StageProfile() : nil
  }

  /// The networks, loaded on first use.
  func studio() throws(PortraitError) -> Studio {
    if let loadedStudio { return loadedStudio }
    let studio = try Studio()
    loadedStudio = studio
    return studio
  }

  func begin(_ report: @escaping (JobProgress) -> Void) {
    self.report = report
    profile?.begin()
  }

  func tell(_ step: HeadshotStep, _ fraction: Double) {
    profile?.enter(step)
    report(JobProgress(step: step, fraction: fraction))
  }

  func end(_ method: String) {
    profile?.end(method)
  }
}
