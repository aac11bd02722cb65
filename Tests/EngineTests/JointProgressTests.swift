import AtelierProtocol
import Providers
import Testing

@testable import Engine

@Suite("The progress of several pictures")
struct JointProgressTests {
  private func at(_ phase: Phase, _ fraction: Double? = nil) -> ImageProgress {
    ImageProgress(phase: phase, message: "\(phase.rawValue)", fraction: fraction)
  }

  @Test("the progress of several pictures is that of the one furthest behind, with what all have done of its phase")
  func furthestBehind() {
    var joint = CombinedProgress(count: 3)
    _ = joint.take(.picture(0, at(.uploading, 0.5)))
    _ = joint.take(.picture(1, at(.processing)))
    var told = joint.take(.picture(2, at(.processing)))
    #expect(told?.0 == at(.uploading, 2.5 / 3) && told?.1 == GenerationProgress.Step(index: 0, count: 3))
    told = joint.take(.picture(0, at(.processing)))
    #expect(told?.0.phase == .processing && told?.0.fraction == nil)
    told = joint.take(.ended(0))
    #expect(told?.1?.index == 1 && told?.0.fraction == 1.0 / 3)
  }

  @Test("the progress of one picture names no step, and what concerns the whole speaks for all")
  func one() {
    var joint = CombinedProgress(count: 1)
    #expect(joint.take(.picture(0, at(.uploading)))?.1 == nil)
    #expect(joint.take(.ended(0)) == nil)
    var several = CombinedProgress(count: 2)
    _ = several.take(.picture(1, at(.processing)))
    let told = several.take(.whole(at(.saving)))
    #expect(told?.0 == at(.saving) && told?.1 == nil)
  }
}
