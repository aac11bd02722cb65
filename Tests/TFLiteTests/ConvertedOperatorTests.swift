import Glibc
import Support
import Testing

@testable import TFLite

/// The operators that none of the embedded networks has, but converted ones do.
@Suite("The operators of converted networks")
struct ConvertedOperatorTests {
  private static let seeds = 0..<24 as Range<UInt64>

  /// A model of one operator whose first input is given, and its result.
  private func run(
    _ code: Int, _ shape: [Int], _ values: [Float], _ others: (inout ModelWriter) -> [Int] = { _ in [] },
    to result: [Int], options: [Int: ModelWriter.Field]? = nil
  ) throws -> [Float] {
    var writer = ModelWriter()
    let source = writer.tensor(shape)
    let constants = others(&writer)
    let target = writer.tensor(result)
    writer.apply(code, [source] + constants, to: [target], options: options)
    writer.inputs = [source]
    writer.outputs = [target]
    let interpreter = try Interpreter(model: writer.bytes())
    #expect(interpreter.outputShapes == [result])
    let first = try interpreter.run(values)
    #expect(try interpreter.run(values) == first)
    return first[0]
  }

  private func expect(_ found: [Float], _ expected: [Float], _ what: String = "") {
    guard found.count == expected.count else {
      Issue.record("\(what): \(found.count) numbers instead of \(expected.count)")
      return
    }
    let worst = zip(found, expected).map { abs($0 - $1) / max(1, abs($1)) }.max() ?? 0
    #expect(worst < 2e-5, "\(what): \(found) instead of \(expected)")
  }

  @Test("A function of single numbers gives what a calculator gives", arguments: [
    (20, [-2, -0.5, 0.5, 2], [-1, -0.5, 0.5, 1]),
    (28, [-20, -1, 0, 0.5, 20], [-1, -0.76159416, 0, 0.46211716, 1]),
    (47, [-1, 0, 1, 2], [0.36787944, 1, 2.7182818, 7.389056]),
    (59, [-1.5, 0, 2], [1.5, 0, -2]), (101, [-1.5, 0, 2], [1.5, 0, 2]),
    (75, [0, 0.25, 2, 9], [0, 0.5, 1.4142135, 3]), (76, [0.25, 1, 4, 100], [2, 1, 0.5, 0.1]),
    (98, [-2, -0.5, 0, 3], [-0.4, -0.1, 0, 3]),
  ] as [(Int, [Float], [Float])])
  func functions(code: Int, values: [Float], expected: [Float]) throws {
    let options: [Int: ModelWriter.Field]? = code == 98 ? [0: .float32(0.2)] : nil
    let shape = [1, 1, values.count, 1]
    expect(try run(code, shape, values, to: shape, options: options), expected, "operator \(code)")
  }

  @Test("The squares of the logistic function's least numbers are no subnormal numbers")
  func leastLogistic() throws {
    let shape = [1, 1, 4, 1]
    for number in try run(14, shape, [-40, -60, -87.5, -500], to: shape) {
      #expect(number < 1e-17 && (number * number).isNormal, "\(number)")
    }
  }

  @Test("A fused activation may be between −1 and 1, or a hyperbolic tangent", arguments: [
    (2, [-1, -0.5, 1]), (4, [-0.9640276, -0.46211716, 0.9640276]),
  ] as [(Int, [Float])])
  func fused(number: Int, expected: [Float]) throws {
    let found = try run(0, [3], [-3, -1.5, 1], { [$0.constant([1], [1])] }, to: [3], options: [0: .uint8(number)])
    expect(found, expected)
  }

  @Test("An arithmetic operator repeats axes of length 1 on either side", arguments: [0, 18, 41, 42, 55, 57, 99], seeds)
  func arithmetic(code: Int, seed: UInt64) throws {
    var random = SplitMix64(seed: seed &* 131 &+ UInt64(code))
    let full = [
      Int.random(in: 1...2, using: &random), Int.random(in: 1...5, using: &random), Int.random(in: 1...5, using: &random),
      Int.random(in: 1...11, using: &random),
    ]
    func side() -> [Int] {
      let shape = full.map { Bool.random(using: &random) ? $0 : 1 }
      return Array(shape.dropFirst(Int.random(in: 0...3, using: &random)))
    }
    let (given, other) = (side(), side())
    let length = max(given.count, other.count)
    func padded(_ shape: [Int]) -> [Int] { [Int](repeating: 1, count: 4 - shape.count) + shape }
    let wide = zip(padded(given), padded(other)).map { max($0, $1) }
    let (left, right) = (random.numbers(given.reduce(1, *)), random.numbers(other.reduce(1, *)).map { $0 == 0 ? 1 : $0 })
    func at(_ index: [Int], _ shape: [Int], _ values: [Float]) -> Float {
      var place = 0
      for (axis, size) in padded(shape).enumerated() { place = place * size + (size == 1 ? 0 : index[axis]) }
      return values[place]
    }
    let expected = Image(wide) { n, y, x, c in
      let (a, b) = (at([n, y, x, c], given, left), at([n, y, x, c], other, right))
      switch code {
      case 0: return a + b
      case 18: return a * b
      case 41: return a - b
      case 42: return a / b
      case 55: return max(a, b)
      case 57: return min(a, b)
      default: return (a - b) * (a - b)
      }
    }
    let result = Array(wide.suffix(length))
    expect(try run(code, given, left, { [$0.constant(other, right)] }, to: result), expected.values, "seed \(seed)")
  }

  @Test("Softmax gives the parts of a whole")
  func softmax() throws {
    let found = try run(25, [1, 1, 2, 3], [1, 2, 3, 50, 50, -50], to: [1, 1, 2, 3], options: [0: .float32(1)])
    expect(found, [0.09003057, 0.24472848, 0.66524094, 0.5, 0.5, 0])
  }

  @Test("A fully connected layer multiplies each row by the weights and adds the bias")
  func fullyConnected() throws {
    let found = try run(
      9, [2, 3], [1, 2, 3, -1, 0, 1],
      { [$0.constant([2, 3], [1, 0, -1, 0.5, 0.5, 0.5]), $0.constant([2], [10, 20])] }, to: [2, 2],
      options: [0: .uint8(1)])
    expect(found, [8, 23, 8, 20])
  }

  @Test("A mean or a sum over any axes agrees", arguments: seeds)
  func reductions(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let input = Image.random(&random)
    let axes = (0..<4).filter { _ in Bool.random(using: &random) }
    guard !axes.isEmpty else { return }
    let (isMean, keeps) = (Bool.random(using: &random), Bool.random(using: &random))
    let whole = (0..<4).map { axes.contains($0) ? 1 : input.shape[$0] }
    var sums = [Double](repeating: 0, count: whole.reduce(1, *))
    let indexes = Image(input.shape) { n, y, x, c in
      let at = [n, y, x, c]
      return Float((0..<4).reduce(0) { $0 * whole[$1] + (axes.contains($1) ? 0 : at[$1]) })
    }
    for (place, value) in zip(indexes.values, input.values) { sums[Int(place)] += Double(value) }
    let count = isMean ? Double(input.values.count / sums.count) : 1
    let result = keeps ? whole : (0..<4).filter { !axes.contains($0) }.map { input.shape[$0] }
    let named = axes.map { Bool.random(using: &random) ? $0 : $0 - 4 }
    let found = try run(
      isMean ? 40 : 74, input.shape, input.values, { [$0.integers([named.count], named)] }, to: result,
      options: [0: .uint8(keeps ? 1 : 0)])
    expect(found, sums.map { Float($0 / count) }, "seed \(seed)")
  }

  @Test("Transposing puts each number at its place in the new order", arguments: seeds)
  func transpose(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let input = Image.random(&random)
    let order = [0, 1, 2, 3].shuffled(using: &random)
    let result = order.map { input.shape[$0] }
    let expected = Image(result) { n, y, x, c in
      var at = [0, 0, 0, 0]
      for (place, axis) in order.enumerated() { at[axis] = [n, y, x, c][place] }
      return input.at(at[0], at[1], at[2], at[3]) ?? .nan
    }
    expect(try run(39, input.shape, input.values, { [$0.integers([4], order)] }, to: result), expected.values)
  }

  /// A begin, an end and a stride of each axis, with its masks.
  @Test("Slices take what lies between their ends", arguments: seeds)
  func slices(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let input = Image.random(&random)
    let first = input.shape.map { Int.random(in: 0..<$0, using: &random) }
    let counts = zip(input.shape, first).map { Int.random(in: 1...$0 - $1, using: &random) }
    let expected = Image(counts) { n, y, x, c in
      input.at(n + first[0], y + first[1], x + first[2], c + first[3]) ?? .nan
    }
    let sizes = zip(counts, zip(input.shape, first)).map { $0 == $1.0 - $1.1 && seed.isMultiple(of: 2) ? -1 : $0 }
    let plain = try run(
      65, input.shape, input.values, { [$0.integers([4], first), $0.integers([4], sizes)] }, to: counts)
    expect(plain, expected.values, "seed \(seed)")
    let strides = counts.map { Int.random(in: 1...$0, using: &random) }
    let taken = zip(counts, strides).map { ($0 + $1 - 1) / $1 }
    let thinned = Image(taken) { n, y, x, c in
      expected.at(n * strides[0], y * strides[1], x * strides[2], c * strides[3]) ?? .nan
    }
    // Negative ends are counted from the end.
    let ends = zip(zip(first, counts), input.shape).map { $0.0 + $0.1 == $1 ? $1 : $0.0 + $0.1 - $1 }
    let strided = try run(
      45, input.shape, input.values,
      { [$0.integers([4], first), $0.integers([4], ends), $0.integers([4], strides)] }, to: taken,
      options: [0: .int32(0), 1: .int32(0)])
    expect(strided, thinned.values, "seed \(seed)")
  }

  @Test("A strided slice may leave out its ends, and drop an axis")
  func masks() throws {
    let values = (0..<12).map(Float.init)
    func sliced(_ options: [Int: ModelWriter.Field], to shape: [Int]) throws -> [Float] {
      try run(
        45, [1, 3, 4], values,
        { [$0.integers([3], [0, 1, 1]), $0.integers([3], [1, 2, 3]), $0.integers([3], [1, 1, 1])] }, to: shape,
        options: options)
    }
    expect(try sliced([0: .int32(0)], to: [1, 1, 2]), [5, 6])
    expect(try sliced([0: .int32(0b100)], to: [1, 1, 3]), [4, 5, 6])
    expect(try sliced([1: .int32(0b110)], to: [1, 2, 3]), [5, 6, 7, 9, 10, 11])
    expect(try sliced([4: .int32(0b011)], to: [2]), [5, 6])
    #expect(throws: ModelError.self) { try sliced([2: .int32(1)], to: [1, 1, 2]) }
  }

  @Test("A resize to the nearest number repeats it, in all conventions", arguments: [
    (0, 0, [1, 1, 2, 2, 3]), (0, 1, [1, 1, 2, 3, 3]), (1, 0, [1, 2, 2, 3, 3]),
  ] as [(Int, Int, [Float])])
  func nearest(align: Int, half: Int, expected: [Float]) throws {
    let found = try run(
      97, [1, 1, 3, 1], [1, 2, 3], { [$0.integers([2], [1, 5])] }, to: [1, 1, 5, 1],
      options: [0: .uint8(align), 1: .uint8(half)])
    expect(found, expected)
  }

  @Test("Padding may put another number than zero")
  func padWithNumber() throws {
    let found = try run(
      60, [1, 1, 2, 1], [1, 2],
      { [$0.integers([4, 2], [0, 0, 0, 1, 1, 0, 0, 0]), $0.constant([1], [-9])] }, to: [1, 2, 3, 1])
    expect(found, [-9, 1, 2, -9, -9, -9])
  }

  @Test("Axes of length 1 come and go", arguments: [(43, [1, 2, 1], [2]), (70, [2], [1, 2])] as [(Int, [Int], [Int])])
  func axes(code: Int, from: [Int], to: [Int]) throws {
    expect(try run(code, from, [3, 4], { [$0.integers([1], [0])] }, to: to), [3, 4])
  }

  @Test("A transpose convolution agrees, with a bias and without", arguments: seeds)
  func transposeConvolution(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let input = Image.random(&random)
    let (stride, kernel) = (Int.random(in: 1...3, using: &random), Int.random(in: 1...4, using: &random))
    let channels = Int.random(in: 1...3, using: &random)
    let filter = [channels, kernel, kernel, input.channels]
    let weights = Image(filter, random.numbers(filter.reduce(1, *)))
    let bias = Bool.random(using: &random) ? random.numbers(channels) : nil
    let zeros = [Float](repeating: 0, count: channels)
    let expected = Reference.transposeConvolution(input, weights, bias ?? zeros, stride: stride)
    var writer = ModelWriter()
    let source = writer.tensor(input.shape)
    let inputs = [writer.integers([4], expected.shape), writer.constant(filter, weights.values), source]
    let end = bias.map { [writer.constant([channels], $0)] } ?? []
    let target = writer.tensor(expected.shape)
    writer.apply(
      67, inputs + end, to: [target], options: [0: .uint8(0), 1: .int32(stride), 2: .int32(stride), 3: .uint8(0)])
    writer.inputs = [source]
    writer.outputs = [target]
    expect(try Interpreter(model: writer.bytes()).run(input.values)[0], expected.values, "seed \(seed)")
  }

  @Test("An operator that is not known is named by its number and, if it is a usual one, its name", arguments: [
    (126, "126 BATCH_MATMUL"), (150, "150 GELU"), (16, "16"),
  ])
  func unknown(code: Int, name: String) {
    #expect(throws: ModelError.unknownOperator(name)) { try run(code, [1], [1], to: [1]) }
  }

  @Test("Weights of whole numbers are refused as such")
  func quantised() {
    #expect(throws: ModelError.unsupported("weights that are whole numbers")) {
      try run(0, [1], [1], { [$0.integers([1], [1])] }, to: [1])
    }
  }
}
