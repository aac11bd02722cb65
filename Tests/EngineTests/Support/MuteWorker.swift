import Imaging
import Support
import ServiceFixture

/// A worker that takes every job and never answers, so that work stays in the phase that needs it.
struct MuteWorker {
  let worker: ImagingWorker

  init(in directory: TemporaryDirectory) throws {
    let path = directory.path("mute-worker")
    try ProgramFile.write("#!/bin/sh\nexec cat >/dev/null\n", at: path)
    worker = ImagingWorker(executable: path, clock: ManualClock().timer)
  }
}
