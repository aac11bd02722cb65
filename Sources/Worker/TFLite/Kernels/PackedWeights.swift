import CMatrixProduct

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

  /// The product of as many rows, of `depth` numbers each, with the weights, plus the bias.
  func multiply(_ rows: matrix_rows, into output: UnsafeMutablePointer<Float>, memory: Memory) {
    let matrix = matrix_weights(
      weights: memory.constants + offset, bias: memory.constants + biasOffset, depth: depth, channels: channels)
    matrix_product(matrix, rows, output)
  }
}
