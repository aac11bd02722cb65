/// Finds which pixels hang together.
enum ConnectedComponents {
  /// The largest group of chosen pixels that touch by their sides, among those that meet `seed`; of all if none does.
  static func largest(_ chosen: [Bool], width: Int, height: Int, meeting seed: PixelRectangle? = nil) -> [Bool] {
    let (labels, areas) = label(chosen, width: width, height: height)
    var candidates = Set<Int32>()
    if let seed {
      for y in clipped(seed.y, seed.height, height) {
        for x in clipped(seed.x, seed.width, width) where labels[y * width + x] > 0 {
          candidates.insert(labels[y * width + x])
        }
      }
    }
    if candidates.isEmpty { candidates = Set((1..<Int32(areas.count)).map { $0 }) }
    guard let best = candidates.max(by: { (areas[Int($0)], $1) < (areas[Int($1)], $0) }) else { return chosen }
    return labels.map { $0 == best }
  }

  private static func clipped(_ start: Int, _ length: Int, _ limit: Int) -> Range<Int> {
    let first = max(0, min(limit, start))
    return first..<max(first, min(limit, start + length))
  }

  /// The group of each pixel, from 1 on, 0 for pixels not chosen; and each group's number of pixels.
  static func label(_ chosen: [Bool], width: Int, height: Int) -> (labels: [Int32], areas: [Int]) {
    var labels = [Int32](repeating: 0, count: chosen.count)
    var areas = [0]
    var stack: [Int] = []
    for start in chosen.indices where chosen[start] && labels[start] == 0 {
      let label = Int32(areas.count)
      areas.append(0)
      labels[start] = label
      stack.append(start)
      while let at = stack.popLast() {
        areas[Int(label)] += 1
        let x = at % width
        if x > 0 { visit(at - 1) }
        if x + 1 < width { visit(at + 1) }
        if at >= width { visit(at - width) }
        if at + width < chosen.count { visit(at + width) }
      }

      func visit(_ neighbour: Int) {
        guard chosen[neighbour], labels[neighbour] == 0 else { return }
        labels[neighbour] = label
        stack.append(neighbour)
      }
    }
    return (labels, areas)
  }
}
