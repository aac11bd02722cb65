/// A model that is ready to run: its kernels in order, its constants in the kernels' layout, and its memory layout.
struct Plan {
  /// The limits of a run. The embedded models need less than half of it; a model beyond them could exhaust the machine.
  static let maximumCost = 20_000_000_000
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

    layout = ArenaLayout(slots: model.tensors.count, requests: Self.requests(kernels, model))
    let total = layout.size + scratchSize + constants.count
    let cost = kernels.reduce(0) { min($0 + $1.cost, Self.maximumCost + 1) }
    guard total <= Self.maximumNumbers, cost <= Self.maximumCost else {
      throw .unsupported("it needs \(total) numbers and \(cost) multiplications")
    }
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
