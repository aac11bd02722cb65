import CMatrixProduct

/// The activation function, applied to each result of a kernel.
enum Activation {
  case none
  case relu
  case relu6
  case hardSwish
  case logistic
  case reluBetweenOnes
  case hyperbolicTangent
  /// Negative numbers are multiplied by `slope`.
  case leakyRelu(slope: Float)
  case squareRoot
  case inverseSquareRoot
  case negative
  case absolute
  case exponential
  /// Negative numbers are multiplied by their channel's slope, constants from `offset` on.
  case parametricRelu(offset: Int)

  /// The `ActivationFunctionType` of schema.fbs.
  init(fused number: Int) throws(ModelError) {
    switch number {
    case 0: self = .none
    case 1: self = .relu
    case 2: self = .reluBetweenOnes
    case 3: self = .relu6
    case 4: self = .hyperbolicTangent
    default: throw .unsupported("fused activation \(number)")
    }
  }

  var isNone: Bool { if case .none = self { true } else { false } }

  /// Applies it in place to `count` numbers; for channelwise slopes `count` is a multiple of `channels`.
  func apply(to numbers: UnsafeMutablePointer<Float>, count: Int, channels: Int, memory: Memory) {
    switch self {
    case .none: break
    case .relu: activation_apply(activation_relu, numbers, count)
    case .relu6: activation_apply(activation_relu6, numbers, count)
    case .hardSwish: activation_apply(activation_hard_swish, numbers, count)
    case .logistic: Self.map(numbers, count) { Self.logistic($0) }
    case .reluBetweenOnes: Self.map(numbers, count) { $0.clamped(from: -1, to: 1) }
    case .hyperbolicTangent: Self.map(numbers, count) { 1 - 2 / (1 + ($0 + $0).exponential) }
    case .leakyRelu(let slope): Self.map(numbers, count) { $0.replacing(with: $0 * slope, where: $0 .< 0) }
    case .squareRoot: Self.map(numbers, count) { $0.squareRoot() }
    case .inverseSquareRoot: Self.map(numbers, count) { 1 / $0.squareRoot() }
    case .negative: Self.map(numbers, count) { 0 - $0 }
    case .absolute: Self.map(numbers, count) { $0.replacing(with: 0 - $0, where: $0 .< 0) }
    case .exponential: Self.map(numbers, count) { $0.exponential }
    case .parametricRelu(let offset):
      let slopes = memory.constants + offset
      for row in stride(from: 0, to: count, by: channels) {
        Self.parametricRelu(numbers + row, slopes, channels)
      }
    }
  }

  /// Never below 4 · 10⁻¹⁸, so that neither it nor its square is below 1.2 · 10⁻³⁸: with such numbers, processors calculate
  /// a hundred times slower.
  @inline(__always)
  private static func logistic(_ x: Vector) -> Vector { 1 / (1 + (-x).clamped(from: -87, to: 40).exponential) }

  @inline(__always)
  private static func map(_ numbers: UnsafeMutablePointer<Float>, _ count: Int, _ change: (Vector) -> Vector) {
    var index = 0
    while index + 8 <= count {
      numbers.store(change(numbers.vector(index)), index)
      index += 8
    }
    if index < count {
      var rest = Vector.zero
      for lane in 0..<count - index { rest[lane] = numbers[index + lane] }
      numbers.store(change(rest), index, count: count - index)
    }
  }

  @inline(__always)
  private static func parametricRelu(
    _ numbers: UnsafeMutablePointer<Float>, _ slopes: UnsafePointer<Float>, _ channels: Int
  ) {
    var channel = 0
    while channel + 8 <= channels {
      let x = numbers.vector(channel)
      numbers.store(x.replacing(with: x * slopes.vector(channel), where: x .< 0), channel)
      channel += 8
    }
    while channel < channels {
      if numbers[channel] < 0 { numbers[channel] *= slopes[channel] }
      channel += 1
    }
  }
}

/// An activation that could not be fused with the previous kernel.
struct ActivationKernel: Kernel {
  let input: Operand
  let output: Int
  let activation: Activation

  var reads: [Operand] { [input] }
  var replaces: [Operand] { [input] }
  var outputShape: Shape { input.shape }

  func run(in memory: Memory) {
    let target = memory.write(output)
    target.update(from: memory.read(input), count: input.shape.elements)
    activation.apply(to: target, count: input.shape.elements, channels: input.shape.channels, memory: memory)
  }
}
