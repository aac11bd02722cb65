import Support
import Testing

@testable import TFLite

/// What a kernel does for the one before it, and whose memory it takes.
@Suite("Steps that are done in others")
struct AbsorptionTests {
  /// A tensor that the caller reads is computed on its own, so that the same model with more outputs is the comparison.
  private func expectSame(
    _ writer: ModelWriter, _ values: [Float], inner: [Int], _ what: String
  ) throws {
    var apart = writer
    apart.outputs += inner
    let found = try Interpreter(model: writer.bytes()).run(values)[0]
    let expected = try Interpreter(model: apart.bytes()).run(values)[0]
    #expect(found == expected, "\(what)")
  }

  @Test("Weights that would not fit the memory once they are packed are refused before")
  func weightsTooLarge() {
    let depth = Plan.maximumNumbers / 8
    var constants: [Float] = [0]
    #expect(throws: ModelError.tooManyConstants) {
      try PackedWeights(
        weights: [Float](repeating: 0, count: depth), bias: nil, depth: depth, channels: 1, constants: &constants)
    }
    #expect(constants.count == 1)
  }

  @Test(
    "A convolution gives the same bits whether or not it pads, joins and resizes itself",
    arguments: 0..<80 as Range<UInt64>)
  func convolution(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let input = Image.random(&random)
    var writer = ModelWriter()
    let source = writer.tensor(input.shape)
    var shape = [input.batch, Int.random(in: 1...9, using: &random), Int.random(in: 1...9, using: &random), input.channels]
    let size = writer.integers([2], [shape[1], shape[2]])
    let parts = [writer.tensor(shape), writer.tensor(shape)]
    writer.apply(23, [source, size], to: [parts[0]], options: [2: .uint8(0), 3: .uint8(Int(seed % 2))])
    writer.apply(97, [source, size], to: [parts[1]], options: [0: .uint8(0), 1: .uint8(0)])
    // Along the width, pictures of a single column have as many numbers in a row as they have channels.
    let axis = [1, 2, 3, 3].randomElement(using: &random) ?? 3
    shape[axis] *= 2
    let joined = writer.tensor(shape)
    writer.apply(2, parts, to: [joined], options: [0: .int32(axis), 1: .uint8(0)])
    let around = (0..<4).map { _ in Int.random(in: 0...3, using: &random) }
    let paddings = writer.integers([4, 2], [0, 0, around[0], around[1], around[2], around[3], 0, 0])
    shape[1] += around[0] + around[1]
    shape[2] += around[2] + around[3]
    let padded = writer.tensor(shape)
    writer.apply(34, [joined, paddings], to: [padded])
    let target = try convolved(padded, shape, &writer, &random)
    (writer.inputs, writer.outputs) = ([source], [target])
    try expectSame(writer, input.values, inner: parts + [joined, padded], "seed \(seed)")
  }

  /// A convolution or a depthwise one of any window.
  private func convolved(
    _ source: Int, _ shape: [Int], _ writer: inout ModelWriter, _ random: inout SplitMix64
  ) throws -> Int {
    let (same, depthwise) = (Bool.random(using: &random), Bool.random(using: &random))
    func window(_ length: Int) -> AxisWindow {
      let dilation = Int.random(in: 1...2, using: &random)
      let kernel = Int.random(in: 1...3, using: &random)
      let fits = same || (kernel - 1) * dilation < length
      return AxisWindow(
        kernel: fits ? kernel : 1, stride: Int.random(in: 1...3, using: &random), dilation: dilation, same: same)
    }
    let (down, across) = (window(shape[1]), window(shape[2]))
    let channels = depthwise ? shape[3] : [1, 5, 8, 19].randomElement(using: &random) ?? 1
    let filter = depthwise ? [1, down.kernel, across.kernel, channels] : [channels, down.kernel, across.kernel, shape[3]]
    let weights = writer.constant(filter, random.numbers(filter.reduce(1, *)))
    let bias = writer.constant([channels], random.numbers(channels))
    let target = writer.tensor([shape[0], down.outputLength(shape[1]), across.outputLength(shape[2]), channels])
    var options: [Int: ModelWriter.Field] = [
      0: .uint8(same ? 0 : 1), 1: .int32(across.stride), 2: .int32(down.stride),
    ]
    if depthwise {
      options.merge([3: .int32(1), 4: .uint8(0), 5: .int32(across.dilation), 6: .int32(down.dilation)]) { $1 }
    } else {
      options.merge([3: .uint8(0), 4: .int32(across.dilation), 5: .int32(down.dilation)]) { $1 }
    }
    writer.apply(depthwise ? 4 : 3, [source, weights, bias], to: [target], options: options)
    return target
  }

  @Test("A result takes the place of what nothing reads any more, and of nothing else", arguments: 0..<40 as Range<UInt64>)
  func places(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var writer = ModelWriter()
    let shape = [1, 3, 2, 9]
    let source = writer.tensor(shape)
    var tensors = [source]
    var expected = [random.numbers(54)]
    for _ in 0..<12 {
      let left = Int.random(in: 0..<tensors.count, using: &random)
      let right = Int.random(in: 0..<tensors.count, using: &random)
      let result = writer.tensor(shape)
      let isSum = Bool.random(using: &random)
      writer.apply(isSum ? 0 : 41, [tensors[left], tensors[right]], to: [result])
      expected.append(zip(expected[left], expected[right]).map { isSum ? $0 + $1 : $0 - $1 })
      tensors.append(result)
    }
    (writer.inputs, writer.outputs) = ([source], [tensors[12], tensors[Int.random(in: 1...11, using: &random)]])
    let interpreter = try Interpreter(model: writer.bytes())
    for _ in 0..<2 {
      let found = try interpreter.run(expected[0])
      #expect(found[0] == expected[12], "seed \(seed)")
      #expect(found[1] == expected[writer.outputs[1] - source], "seed \(seed)")
    }
  }
}
