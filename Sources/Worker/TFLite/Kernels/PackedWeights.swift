/// Weights in the order in which the product reads them: blocks of eight output channels, with the eight weights of
/// each input together.
struct PackedWeights {
  let offset: Int
  let biasOffset: Int
  let depth: Int
  let channels: Int

  /// Packs `weights` ([channels][depth]) and `bias` behind the constants, both padded with zeros to whole blocks.
  init(weights: [Float], bias: [Float]?, depth: Int, channels: Int, constants: inout [Float]) {
    let blocks = (channels + 7) / 8
    self.depth = depth
    self.channels = channels
    offset = constants.count
    constants.reserveCapacity(constants.count + blocks * 8 * (depth + 1))
    for block in 0..<blocks {
      for index in 0..<depth {
        for lane in 0..<8 {
          let channel = block * 8 + lane
          constants.append(channel < channels ? weights[channel * depth + index] : 0)
        }
      }
    }
    biasOffset = constants.count
    for channel in 0..<blocks * 8 {
      constants.append(channel < channels ? bias?[channel] ?? 0 : 0)
    }
  }

  /// The product of `rows` × `depth` numbers with the weights, plus the bias: `rows` × `channels` numbers.
  func multiply(
    _ input: UnsafePointer<Float>, rows: Int, into output: UnsafeMutablePointer<Float>, memory: Memory
  ) {
    let weights = memory.constants + offset
    let bias = memory.constants + biasOffset
    var channel = 0
    while channel < channels {
      let block = weights + channel * depth
      let start = bias.vector(channel)
      let count = min(8, channels - channel)
      var row = 0
      while row + 4 <= rows {
        fourRows(input + row * depth, block, start, output + row * channels + channel, count)
        row += 4
      }
      while row < rows {
        oneRow(input + row * depth, block, start, output + row * channels + channel, count)
        row += 1
      }
      channel += 8
    }
  }

  @inline(__always)
  private func fourRows(
    _ input: UnsafePointer<Float>, _ block: UnsafePointer<Float>, _ start: Vector,
    _ output: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    var first = start
    var second = start
    var third = start
    var fourth = start
    let inputs = (input, input + depth, input + 2 * depth, input + 3 * depth)
    for index in 0..<depth {
      let weight = block.vector(index &* 8)
      first += weight * inputs.0[index]
      second += weight * inputs.1[index]
      third += weight * inputs.2[index]
      fourth += weight * inputs.3[index]
    }
    if count == 8 {
      output.store(first)
      output.store(second, channels)
      output.store(third, 2 * channels)
      output.store(fourth, 3 * channels)
    } else {
      output.store(first, 0, count: count)
      output.store(second, channels, count: count)
      output.store(third, 2 * channels, count: count)
      output.store(fourth, 3 * channels, count: count)
    }
  }

  @inline(__always)
  private func oneRow(
    _ input: UnsafePointer<Float>, _ block: UnsafePointer<Float>, _ start: Vector,
    _ output: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    var sum = start
    for index in 0..<depth {
      sum += block.vector(index &* 8) * input[index]
    }
    if count == 8 { output.store(sum) } else { output.store(sum, 0, count: count) }
  }
}
