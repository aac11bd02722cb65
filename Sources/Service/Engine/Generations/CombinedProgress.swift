import AtelierProtocol
import Providers

/// The progress of a generation whose pictures are made one by one or all at once: the slowest picture determines it,
/// so that a phase ends only when every picture has left it.
struct CombinedProgress: Sendable, Equatable {
  private let count: Int
  private var whole: ImageProgress?
  private var pictures: [Int: ImageProgress] = [:]
  private var ended: Set<Int> = []

  init(count: Int) {
    self.count = count
  }

  /// Takes in a report.
  /// - Returns: the progress to report now, with its picture; nil when there is nothing to report.
  mutating func take(_ report: WorkReport) -> (ImageProgress, GenerationProgress.Step?)? {
    switch report {
    case .whole(let progress): whole = progress
    case .picture(let index, let progress):
      whole = nil
      pictures[index] = progress
    case .ended(let index):
      pictures[index] = nil
      ended.insert(index)
    }
    if let whole { return (whole, nil) }
    let furthestBehind = pictures.min { ($0.value.phase.position, $0.key) < ($1.value.phase.position, $1.key) }
    guard let (index, slowest) = furthestBehind else { return nil }
    var progress = slowest
    if count > 1 { progress.fraction = fraction(of: slowest.phase) }
    return (progress, count > 1 ? GenerationProgress.Step(index: index, count: count) : nil)
  }
}

extension CombinedProgress {
  /// How much of a phase all pictures have done together; nil where nothing is known.
  private func fraction(of phase: Phase) -> Double? {
    let done = pictures.values.compactMap { picture -> Double? in
      picture.phase.position > phase.position ? 1 : picture.phase == phase ? picture.fraction : nil
    }
    guard !done.isEmpty || !ended.isEmpty else { return nil }
    return (done.reduce(0, +) + Double(ended.count)) / Double(count)
  }
}
