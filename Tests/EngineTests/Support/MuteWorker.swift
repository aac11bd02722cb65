import Foundation
import Imaging
import TestHouse

/// A worker that takes every job and never answers, so that work stays in the phase that needs it.
struct MuteWorker {
  let worker: ImagingWorker

  init(in directory: TemporaryDirectory) throws {
    let path = "\(directory.path)/mute-worker"
    try Data("#!/bin/sh\nexec cat >/dev/null\n".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    // A clock that stands: no deadline ever passes.
    worker = ImagingWorker(executable: path, clock: StandingClock())
  }
}

/// A clock that never moves: whoever sleeps on it is woken only by cancellation.
private struct StandingClock: Clock {
  struct Instant: InstantProtocol {
    var offset = Swift.Duration.zero
    func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  var now: Instant { Instant() }
  var minimumResolution: Swift.Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    try await Gate().pass()
  }
}
