import AtelierProtocol
import Localization
import Providers
import Testing

@testable import Engine

@Suite("The log of a generation's progress")
struct ProgressLogTests {
  private func at(_ phase: Phase, _ message: Sentence, _ fraction: Double? = nil) -> ImageProgress {
    ImageProgress(phase: phase, message: message, fraction: fraction)
  }

  @Test("progress is news only if it says something else than before")
  func news() {
    var log = ProgressLog(acceptedAtMs: 0)
    let first = GenerationProgress.Step(index: 0, count: 2)
    let reports: [(ImageProgress, GenerationProgress.Step?, Bool)] = [
      (at(.preparing, "Preparing…"), nil, true), (at(.preparing, "Preparing…"), nil, false),
      (at(.processing, "Preparing…"), nil, true), (at(.processing, "Finishing…", 0.9), nil, true),
      // Less than a thousandth more, and less than before, change nothing.
      (at(.processing, "Finishing…", 0.9004), nil, false), (at(.processing, "Finishing…", 0.8), nil, false),
      (at(.processing, "Finishing…"), nil, false), (at(.processing, "Finishing…", 0.9), first, true),
      (at(.processing, "Ready…", 0.9), first, true), (at(.preparing, "Preparing…"), nil, false),
    ]
    for (progress, step, isNews) in reports {
      #expect(log.move(to: progress, step: step, atMs: 1) == isNews, "\(progress)")
    }
  }

  @Test("a generation whose slot is free does not say that it waits for one")
  func slot() {
    #expect(ProgressLog(acceptedAtMs: 0).message == "Waiting for a free slot…")
    #expect(ProgressLog(acceptedAtMs: 0, hasSlot: true).message == "Preparing your request…")
    #expect(ProgressLog(acceptedAtMs: 0, hasSlot: true).phase == .queued)
  }
}
