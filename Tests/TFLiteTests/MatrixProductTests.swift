import CMatrixProduct
import Support
import Testing

@Suite("The matrix product")
struct MatrixProductTests {
  @Test("The sums are those of plain loops, with every set of instructions", arguments: 0..<64 as Range<UInt64>)
  func sums(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let matrix = Matrix(&random)
    let own = current_processor().rawValue
    for processor in [processor_any, processor_newer, processor_wide] where processor.rawValue <= own {
      let off = zip(matrix.product(of: processor), matrix.plain).first { abs($0 - $1) > 1e-4 || $0.isNaN }
      #expect(off == nil, "\(matrix), instructions \(processor.rawValue), seed \(seed)")
    }
  }

  @Test(
    "Wide registers give the bits of narrow ones", .enabled(if: current_processor() == processor_wide),
    arguments: 0..<64 as Range<UInt64>)
  func widths(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let matrix = Matrix(&random)
    #expect(
      matrix.product(of: processor_wide).map(\.bitPattern) == matrix.product(of: processor_newer).map(\.bitPattern),
      "\(matrix), seed \(seed)")
  }
}

/// Rows of numbers in runs, and weights in blocks of eight channels.
private struct Matrix: CustomStringConvertible {
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

  var description: String { "\(channels) channels of \(runs) × \(length) numbers, \(count) rows" }

  var plain: [Float] {
    (0..<count * channels).map { index in
      let (row, channel) = (index / channels, index % channels)
      var sum = bias[channel]
      for place in 0..<runs * length {
        let number = numbers[(place / length) * length * count + row * length + place % length]
        sum += number * weights[(channel / 8 * runs * length + place) * 8 + channel % 8]
      }
      return sum
    }
  }

  /// Nothing behind the output is touched.
  func product(of processor: processor_kind) -> [Float] {
    let offsets = (0..<runs).map { $0 * length * count }
    let guarded = 64
    var output = [Float](repeating: .nan, count: count * channels + guarded)
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
    #expect(output.suffix(guarded).allSatisfy { $0.isNaN }, "\(self)")
    return Array(output.dropLast(guarded))
  }
}
