/// Finds connected pixels: runs of a row are joined with the runs of the row above that they touch.
enum ConnectedComponents {
  /// Chosen pixels that follow each other in a row, and an earlier run of the same component, or the run itself.
  private struct Run {
    var start: Int
    var end: Int
    var parent: Int
  }

  /// The component of each pixel, from 1 on in the order of their first pixels, 0 for pixels not chosen; and the number
  /// of pixels of each component.
  static func label(_ mask: [Bool], width: Int, height: Int) -> (labels: [Int32], areas: [Int]) {
    var runs: [Run] = []
    var above = 0..<0
    for y in 0..<height {
      let first = runs.count
      appendRuns(of: mask, from: y * width, to: (y + 1) * width, to: &runs)
      join(first..<runs.count, with: above, width, &runs)
      above = first..<runs.count
    }
    var labels = [Int32](repeating: 0, count: mask.count)
    var areas = [0]
    var labelOfRun = [Int32](repeating: 0, count: runs.count)
    for index in runs.indices {
      // A root comes before the other runs of its component.
      let root = root(of: index, &runs)
      if root == index {
        labelOfRun[index] = Int32(areas.count)
        areas.append(0)
      }
      let label = labelOfRun[root]
      areas[Int(label)] += runs[index].end - runs[index].start
      for at in runs[index].start..<runs[index].end { labels[at] = label }
    }
    return (labels, areas)
  }

  private static func appendRuns(of mask: [Bool], from start: Int, to end: Int, to runs: inout [Run]) {
    var at = start
    while at < end {
      while at < end, !mask[at] { at += 1 }
      let first = at
      while at < end, mask[at] { at += 1 }
      if first < at { runs.append(Run(start: first, end: at, parent: runs.count)) }
    }
  }

  private static func join(_ row: Range<Int>, with above: Range<Int>, _ width: Int, _ runs: inout [Run]) {
    var upper = above.lowerBound
    for index in row {
      let (start, end) = (runs[index].start - width, runs[index].end - width)
      while upper < above.upperBound, runs[upper].end <= start { upper += 1 }
      var other = upper
      while other < above.upperBound, runs[other].start < end {
        let (first, second) = (root(of: other, &runs), root(of: index, &runs))
        runs[max(first, second)].parent = min(first, second)
        other += 1
      }
    }
  }

  private static func root(of run: Int, _ runs: inout [Run]) -> Int {
    var root = run
    while runs[root].parent != root {
      runs[root].parent = runs[runs[root].parent].parent
      root = runs[root].parent
    }
    return root
  }

  /// The largest component of pixels that touch by their sides, among those that touch `seed`, or among all if none
  /// does.
  /// - Parameter others: with the largest of those that touch each of these.
  static func largest(
    _ mask: [Bool], width: Int, height: Int, meeting seed: PixelRectangle? = nil, others: [PixelRectangle] = []
  ) -> [Bool] {
    let (labels, areas) = label(mask, width: width, height: height)
    let all = areas.indices.dropFirst()
    // Of equally large ones, the first is chosen.
    func isSmaller(_ one: Int, _ other: Int) -> Bool {
      areas[one] < areas[other] || areas[one] == areas[other] && one > other
    }
    func largest(meeting seed: PixelRectangle) -> Int? {
      var isCandidate = [Bool](repeating: false, count: areas.count)
      let (columns, rows) = seed.clipped(width: width, height: height)
      for y in rows {
        for x in columns { isCandidate[Int(labels[y * width + x])] = true }
      }
      return all.filter { isCandidate[$0] }.max(by: isSmaller)
    }
    guard let best = seed.flatMap(largest) ?? all.max(by: isSmaller) else { return mask }
    var isChosen = [Bool](repeating: false, count: areas.count)
    for label in [best] + others.compactMap(largest) { isChosen[label] = true }
    return labels.map { isChosen[Int($0)] }
  }
}
