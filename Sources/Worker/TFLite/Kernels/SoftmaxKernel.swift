/// `SOFTMAX` over the innermost axis.
struct SoftmaxKernel: Kernel {
  let input: Operand
  let output: Int
  /// By which the numbers are multiplied first.
  let steepness: Float

  var reads: [Operand] { [input] }
  var outputShape: Shape { input.shape }

  func run(in memory: Memory) {
    let (source, target) = (memory.read(input), memory.write(output))
    let (count, channels) = (input.shape.elements, input.shape.channels)
    for first in stride(from: 0, to: count, by: channels) {
      var highest = source[first] * steepness
      for index in first..<first + channels { highest = max(highest, source[index] * steepness) }
      for index in first..<first + channels { target[index] = source[index] * steepness - highest }
    }
    Activation.exponential.apply(to: target, count: count, channels: channels, memory: memory)
    for first in stride(from: 0, to: count, by: channels) {
      var sum: Float = 0
      for index in first..<first + channels { sum += target[index] }
      for index in first..<first + channels { target[index] /= sum }
    }
  }
}
