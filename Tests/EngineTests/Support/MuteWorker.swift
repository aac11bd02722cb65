import Foundation
import Imaging
import Support
import TestHouse

/// A worker that takes every job and never answers, so that work stays in the phase that needs it.
struct MuteWorker {
  let worker: ImagingWorker

  init(in directory: TemporaryDirectory) throws {
    let path = "\(directory.path)/mute-worker"
    try Data("#!/bin/sh\nexec cat >/dev/null\n".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    worker = ImagingWorker(executable: path, clock: StandingClock())
  }
}
