import AtelierProtocol
import Providers

/// The progress of a generation whose pictures are made one by one or all at once: the picture that is furthest behind
/// speaks for all, so that a phase is left only when every picture has left it.
struct JointProgress: Sendable, Equatable {
  private let count: Int
  private var whole: ImageProgress?
  private var pictures: [Int: ImageProgress] = [:]

  init(count: Int) {
    self.count = count
  }

  /// Takes in a report.
  /// - Returns: what is to be told now, and about which picture; nil when there is nothing to tell.
  mutating func take(_ report: WorkReport) -> (ImageProgress, GenerationProgress.Step?)? {
    switch report {
    case .whole(let progress): whole = progress
    case .picture(let index, let progress):
      whole = nil
      pictures[index] = progress
    case .ended(let index):
      pictures[index] = nil
    }
    if let whole { return (whole, nil) }
    let furthestBehind = pictures.min { ($0.value.phase.position, $0.key) < ($1.value.phase.position, $1.key) }
    guard let (index, progress) = furthestBehind else { return nil }
    return (progress, count > 1 ? GenerationProgress.Step(index: index, count: count) : nil)
  }
}

extension Phase {
  /// How far on it is; a phase never goes back.
  var position: Int { Phase.allCases.firstIndex(of: self) ?? 0 }
}
