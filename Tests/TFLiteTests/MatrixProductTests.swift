import CMatrixProduct
import Support
import Testing

@Suite("The matrix product")
struct MatrixProductTests {
  @Test(
    "Wide registers give the bits of narrow ones", .enabled(if: current_processor() == processor_wide),
    arguments: 0..<64 as Range<UInt64>)
  func widths(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let matrix = Matrix(&random)
    #expect(
      matrix.product(of: processor_wide).map(\.bitPattern) == matrix.product(of: processor_newer).map(\.bitPattern),
      "\(matrix.channels) channels of \(matrix.length) numbers, \(matrix.count) rows; seed \(seed)")
  }
}

/// Rows of numbers in runs, and weights in blocks of eight channels.
private struct Matrix {
  let channels, runs, length, count: Int
  let numbers, weights, bias: [Float]

  init(_ random: inout SplitMix64) {
    channels = .random(in: 1...70, using: &random)
    runs = .random(in: 1...3, using: &random)
    length = .random(in: 1...20, using: &random)
    count = .random(in: 1...40, using: &random)
    let blocks = (channels + 7) / 8
    numbers = random.numbers(runs * length * count)
    weights = random.numbers(blocks * 8 * runs * length)
    bias = random.numbers(blocks * 8)
  }

  func product(of processor: processor_kind) -> [Float] {
    let offsets = (0..<runs).map { $0 * length * count }
    var output = [Float](repeating: .nan, count: count * channels)
    numbers.withUnsafeBufferPointer { numbers in
      weights.withUnsafeBufferPointer { weights in
        bias.withUnsafeBufferPointer { bias in
          offsets.withUnsafeBufferPointer { offsets in
            output.withUnsafeMutableBufferPointer { output in
              guard let numbers = numbers.baseAddress, let weights = weights.baseAddress, let bias = bias.baseAddress,
                let offsets = offsets.baseAddress, let output = output.baseAddress
              else { return }
              let matrix = matrix_weights(weights: weights, bias: bias, depth: runs * length, channels: channels)
              let rows = matrix_rows(
                first: numbers, offsets: offsets, runs: runs, length: length, step: length, count: count)
              matrix_product(processor, matrix, rows, output)
            }
          }
        }
      }
    }
    return output
  }
}
