/// The memory of each computed tensor. Tensors that are never needed at the same time share memory.
struct ArenaLayout: Equatable {
  /// The size of a tensor, and the first and last step between which it must be kept.
  struct Request: Equatable {
    var slot: Int
    var size: Int
    var first: Int
    var last: Int
  }

  /// The first number of each slot; slots without a request have 0 and are never touched.
  private(set) var offsets: [Int]
  /// The total count of numbers.
  private(set) var size = 0

  /// Places the largest tensors first, each at the lowest position that is free during its lifetime.
  /// - Parameter heirs: the slots that take the place of another, which has a request for the lifetime of both.
  init(slots: Int, requests: [Request], heirs: [Int: Int] = [:]) {
    offsets = [Int](repeating: 0, count: slots)
    var placed: [(request: Request, range: Range<Int>)] = []
    for request in requests.sorted(by: { ($1.size, $0.slot) < ($0.size, $1.slot) }) {
      let taken = placed.filter { $0.request.first <= request.last && request.first <= $0.request.last }
        .map(\.range).sorted { $0.lowerBound < $1.lowerBound }
      var start = 0
      for range in taken where range.lowerBound < start + request.size {
        start = max(start, range.upperBound)
      }
      // Whole cache lines of 16 numbers.
      let end = (start + request.size + 15) / 16 * 16
      offsets[request.slot] = start
      placed.append((request, start..<end))
      size = max(size, end)
    }
    for (heir, place) in heirs { offsets[heir] = offsets[place] }
  }
}
