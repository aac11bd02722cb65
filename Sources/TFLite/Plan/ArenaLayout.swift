/// Where each computed tensor lives while it is needed: tensors that are never needed together share memory.
struct ArenaLayout: Equatable {
  /// A tensor's size and the steps between which it must survive, both inclusive.
  struct Request: Equatable {
    var slot: Int
    var size: Int
    var first: Int
    var last: Int
  }

  /// The first number of each slot; slots without a request have 0 and are never touched.
  private(set) var offsets: [Int]
  /// Numbers needed altogether.
  private(set) var size = 0

  /// Places the largest first, each at the lowest place free during its life.
  init(slots: Int, requests: [Request]) {
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
  }
}
