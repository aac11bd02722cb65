/// A model ready to run: kernels in order, constants in the layout they want, a place for everything.
struct Plan {
  /// More than this is no model of ours but an attempt to exhaust the machine.
  static let maximumCost = 4_000_000_000
  static let maximumNumbers = 1 << 26

  let kernels: [any Kernel]
  let constants: [Float]
  let layout: ArenaLayout
  let scratchSize: Int
  let inputs: [(slot: Int, shape: Shape)]
  let outputs: [(slot: Int, shape: Shape)]

  /// - Throws: ``ModelError`` when the model's operators contradict its shapes or each other.
  init(_ model: Model) throws(ModelError) {
    var planner = Planner(model)
    try planner.plan()
    kernels = planner.kernels
    constants = planner.constants
    inputs = model.inputs.map { ($0, model.tensors[$0].shape) }
    outputs = model.outputs.map { ($0, model.tensors[$0].shape) }
    scratchSize = kernels.map(\.scratchSize).max() ?? 0

    let needed = Self.requests(kernels, model)
    let total = needed.reduce(scratchSize + constants.count) { $0 + $1.size }
    let cost = kernels.reduce(0) { min($0 + $1.cost, Self.maximumCost + 1) }
    guard total <= Self.maximumNumbers, cost <= Self.maximumCost else {
      throw .unsupported("it needs \(total) numbers and \(cost) multiplications")
    }
    layout = ArenaLayout(slots: model.tensors.count, requests: needed)
  }

  private static func requests(_ kernels: [any Kernel], _ model: Model) -> [ArenaLayout.Request] {
    var requests: [Int: ArenaLayout.Request] = [:]
    for slot in model.inputs {
      requests[slot] = ArenaLayout.Request(slot: slot, size: model.tensors[slot].shape.elements, first: -1, last: -1)
    }
    for (step, kernel) in kernels.enumerated() {
      for case .activation(let slot) in kernel.reads.map(\.place) { requests[slot]?.last = step }
      requests[kernel.output] = ArenaLayout.Request(
        slot: kernel.output, size: kernel.outputShape.elements, first: step, last: step)
    }
    for slot in model.outputs { requests[slot]?.last = kernels.count }
    return Array(requests.values)
  }
}

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
