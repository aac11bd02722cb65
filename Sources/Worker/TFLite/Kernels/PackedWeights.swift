import CMatrixProduct

/// Weights in the order in which the product reads them: blocks of eight output channels, with the eight weights of
/// each input together.
struct PackedWeights {
  let offset: Int
  let biasOffset: Int
  let depth: Int
  let channels: Int

  /// Packs `weights` ([channels][depth]) and `bias` behind the constants, both padded with zeros to whole blocks.
  /// - Throws: ``ModelError`` before anything is allocated, where there would be too many: a single channel becomes eight.
  init(weights: [Float], bias: [Float]?, depth: Int, channels: Int, constants: inout [Float]) throws(ModelError) {
    let packed = (channels + 7) / 8 * 8 * (depth + 1)
    guard constants.count + packed <= Plan.maximumNumbers else { throw .tooManyConstants }
    self.depth = depth
    self.channels = channels
    offset = constants.count
    for first in stride(from: 0, to: channels, by: 8) {
      constants += Self.block(min(8, channels - first), depth: depth) { weights[(first + $1) * depth + $0] }
    }
    biasOffset = constants.count
    constants += bias ?? [Float](repeating: 0, count: channels)
    constants += [Float](repeating: 0, count: (8 - channels % 8) % 8)
  }

  /// The weights of up to eight channels, each at its lane.
  @inline(__always)
  private static func block(_ lanes: Int, depth: Int, _ weight: (_ index: Int, _ lane: Int) -> Float) -> [Float] {
    var block = [Float](repeating: 0, count: depth * 8)
    for lane in 0..<lanes {
      for index in 0..<depth { block[index * 8 + lane] = weight(index, lane) }
    }
    return block
  }

  /// The product of as many rows, of `depth` numbers each, with the weights, plus the bias.
  func multiply(_ rows: matrix_rows, into output: UnsafeMutablePointer<Float>, memory: Memory) {
    let matrix = matrix_weights(
      weights: memory.constants + offset, bias: memory.constants + biasOffset, depth: depth, channels: channels)
    matrix_product(current_processor(), matrix, rows, output)
  }
}
