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

  /// - Parameter cores: how many need scratch memory at the same time.
  /// - Throws: ``ModelError`` when the model's operators contradict its shapes or each other.
  init(_ model: Model, cores: Int) throws(ModelError) {
    var planner = Planner(model)
    try planner.plan()
    kernels = planner.kernels
    constants = planner.constants
    inputs = model.inputs.map { ($0, model.tensors[$0].shape) }
    outputs = model.outputs.map { ($0, model.tensors[$0].shape) }
    scratchSize = kernels.map(\.scratchSize).max() ?? 0

    layout = Self.layout(kernels, model)
    let total = layout.size + scratchSize * cores + constants.count
    guard total <= Self.maximumNumbers else { throw .unsupported("it needs \(total) numbers") }
    // With so little scratch memory, no cost of a step overflows.
    let cost = kernels.reduce(0) { min($0 + $1.cost, Self.maximumCost + 1) }
    guard cost <= Self.maximumCost else { throw .unsupported("it needs \(cost) multiplications") }
  }

  /// The memory of each computed tensor, from the step that writes it to the last one that reads it.
  private static func layout(_ kernels: [any Kernel], _ model: Model) -> ArenaLayout {
    var requests: [Int: ArenaLayout.Request] = [:]
    for slot in model.inputs {
      requests[slot] = ArenaLayout.Request(slot: slot, size: model.tensors[slot].shape.elements, first: -1, last: -1)
    }
    for (step, kernel) in kernels.enumerated() {
      for slot in slots(kernel.reads) { requests[slot]?.last = step }
      requests[kernel.output] = ArenaLayout.Request(
        slot: kernel.output, size: kernel.outputShape.elements, first: step, last: step)
    }
    for slot in model.outputs { requests[slot]?.last = kernels.count }

    var heirs: [Int: Int] = [:]
    for (step, kernel) in kernels.enumerated() {
      guard let result = requests[kernel.output] else { continue }
      let places = slots(kernel.replaces).map { heirs[$0] ?? $0 }
      guard let place = places.first(where: { requests[$0]?.last == step && requests[$0]?.size == result.size }) else {
        continue
      }
      requests[place]?.last = result.last
      requests[kernel.output] = nil
      heirs[kernel.output] = place
    }
    return ArenaLayout(slots: model.tensors.count, requests: Array(requests.values), heirs: heirs)
  }

  private static func slots(_ operands: [Operand]) -> [Int] {
    operands.compactMap { operand in
      if case .activation(let slot) = operand.place { slot } else { nil }
    }
  }
}

extension ModelError {
  static var tooManyConstants: ModelError { .unsupported("it has more than \(Plan.maximumNumbers) constants") }
}
