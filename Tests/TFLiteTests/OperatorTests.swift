import Glibc
import Support
import Testing

@testable import TFLite

@Suite("The operators, against plain loops")
struct OperatorTests {
  private static let seeds = 0..<24 as Range<UInt64>

  @Test("A convolution agrees for all paddings, strides and dilations", arguments: seeds)
  func convolution(seed: UInt64) throws {
    try convolve(seed: seed, depthwise: false)
  }

  @Test("A depthwise convolution agrees for all paddings, strides and dilations", arguments: seeds)
  func depthwiseConvolution(seed: UInt64) throws {
    try convolve(seed: seed, depthwise: true)
  }

  private func convolve(seed: UInt64, depthwise: Bool) throws {
    var random = SplitMix64(seed: seed)
    let input = Image.random(&random)
    let same = Bool.random(using: &random)
    let down = AxisWindow(
      kernel: .random(in: 1...3, using: &random), stride: .random(in: 1...3, using: &random),
      dilation: .random(in: 1...2, using: &random), same: same)
    let across = AxisWindow(
      kernel: .random(in: 1...3, using: &random), stride: .random(in: 1...3, using: &random),
      dilation: .random(in: 1...2, using: &random), same: same)
    let channels = depthwise ? input.channels : Int.random(in: 1...19, using: &random)
    let filter =
      depthwise ? [1, down.kernel, across.kernel, channels] : [channels, down.kernel, across.kernel, input.channels]
    let weights = Image(filter, random.numbers(filter.reduce(1, *)))
    let bias = Bool.random(using: &random) ? random.numbers(channels) : nil
    let fused = [0, 1, 3].randomElement(using: &random) ?? 0
    var expected = Reference.convolution(input, weights, bias, down, across, depthwise: depthwise)
    if fused == 1 { expected.values = expected.values.map { max(0, $0) } }
    if fused == 3 { expected.values = expected.values.map { min(6, max(0, $0)) } }

    var writer = ModelWriter()
    let source = writer.tensor(input.shape)
    // Half of the time the weights come in half precision, as in the models; those are exact in it.
    let isHalf = Bool.random(using: &random)
    var inputs = [source]
    if isHalf {
      let rounded = Image(filter, weights.values.map { Float(Float16($0)) })
      expected = Reference.convolution(input, rounded, bias, down, across, depthwise: depthwise)
      if fused == 1 { expected.values = expected.values.map { max(0, $0) } }
      if fused == 3 { expected.values = expected.values.map { min(6, max(0, $0)) } }
      let half = writer.halfPrecisionConstant(filter, weights.values)
      let full = writer.tensor(filter)
      writer.apply(6, [half], to: [full])
      inputs.append(full)
    } else {
      inputs.append(writer.constant(filter, weights.values))
    }
    inputs.append(bias.map { writer.constant([channels], $0) } ?? -1)
    let target = writer.tensor(expected.shape)
    var options: [Int: ModelWriter.Field] = [
      0: .uint8(same ? 0 : 1), 1: .int32(across.stride), 2: .int32(down.stride),
    ]
    if depthwise {
      options.merge([3: .int32(1), 4: .uint8(fused), 5: .int32(across.dilation), 6: .int32(down.dilation)]) { $1 }
    } else {
      options.merge([3: .uint8(fused), 4: .int32(across.dilation), 5: .int32(down.dilation)]) { $1 }
    }
    writer.apply(depthwise ? 4 : 3, inputs, to: [target], options: options)
    try expect(writer, input, expected, seed)
  }

  @Test("A transpose convolution with bias agrees", arguments: seeds)
  func transposeConvolution(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let input = Image.random(&random)
    let stride = Int.random(in: 1...3, using: &random)
    let kernel = Int.random(in: 1...4, using: &random)
    let channels = Int.random(in: 1...3, using: &random)
    let filter = [channels, kernel, kernel, input.channels]
    let weights = Image(filter, random.numbers(filter.reduce(1, *)))
    let bias = random.numbers(channels)
    let expected = Reference.transposeConvolution(input, weights, bias, stride: stride)
    var writer = ModelWriter()
    let inputs = [
      writer.tensor(input.shape), writer.constant(filter, weights.values), writer.constant([channels], bias),
    ]
    let target = writer.tensor(expected.shape)
    writer.apply(
      32, custom: "Convolution2DTransposeBias", inputs, to: [target],
      customOptions: [1, 0, 0, 0, UInt8(stride), 0, 0, 0, UInt8(stride), 0, 0, 0])
    try expect(writer, input, expected, seed)
  }

  @Test("Average and maximum leave out what lies outside", arguments: seeds)
  func pooling(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let input = Image.random(&random)
    let same = Bool.random(using: &random)
    let down = AxisWindow(
      kernel: .random(in: 1...3, using: &random), stride: .random(in: 1...3, using: &random), same: same)
    let across = AxisWindow(
      kernel: .random(in: 1...3, using: &random), stride: .random(in: 1...3, using: &random), same: same)
    let maximum = Bool.random(using: &random)
    let expected = Reference.pool(input, down, across, maximum: maximum)
    var writer = ModelWriter()
    let source = writer.tensor(input.shape)
    let target = writer.tensor(expected.shape)
    writer.apply(
      maximum ? 17 : 1, [source], to: [target],
      options: [
        0: .uint8(same ? 0 : 1), 1: .int32(across.stride), 2: .int32(down.stride), 3: .int32(across.kernel),
        4: .int32(down.kernel), 5: .uint8(0),
      ])
    try expect(writer, input, expected, seed)
  }

  @Test("The mean over height and width agrees", arguments: seeds)
  func mean(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let input = Image.random(&random)
    let down = AxisWindow(kernel: input.height, stride: 1, same: false)
    let across = AxisWindow(kernel: input.width, stride: 1, same: false)
    var writer = ModelWriter()
    let source = writer.tensor(input.shape)
    let axes = writer.integers([2], Bool.random(using: &random) ? [1, 2] : [-2, 1])
    let expected = Reference.pool(input, down, across, maximum: false)
    let target = writer.tensor(expected.shape)
    writer.apply(40, [source, axes], to: [target], options: [0: .uint8(1)])
    try expect(writer, input, expected, seed)
  }

  @Test("A bilinear resize agrees for all conventions", arguments: seeds)
  func resize(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let input = Image.random(&random)
    let (height, width) = (Int.random(in: 1...14, using: &random), Int.random(in: 1...14, using: &random))
    let (align, half) = [(false, false), (true, false), (false, true)].randomElement(using: &random) ?? (false, false)
    let expected = Reference.resize(input, height, width, alignCorners: align, halfPixel: half)
    var writer = ModelWriter()
    let source = writer.tensor(input.shape)
    let size = writer.integers([2], [height, width])
    let target = writer.tensor(expected.shape)
    writer.apply(23, [source, size], to: [target], options: [2: .uint8(align ? 1 : 0), 3: .uint8(half ? 1 : 0)])
    try expect(writer, input, expected, seed)
  }

  @Test("Sums and products agree for equal shapes, channels and single numbers", arguments: seeds)
  func arithmetic(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let input = Image.random(&random)
    let shape =
      [input.shape, [1, 1, 1, input.channels], [input.channels], [1]].randomElement(using: &random) ?? [1]
    let other = random.numbers(shape.reduce(1, *))
    let multiply = Bool.random(using: &random)
    let values = input.values.enumerated().map { index, value -> Float in
      let second = other[other.count == input.values.count ? index : index % other.count]
      return max(0, multiply ? value * second : value + second)
    }
    var writer = ModelWriter()
    let source = writer.tensor(input.shape)
    let constant = writer.constant(shape, other)
    let target = writer.tensor(input.shape)
    let inputs = Bool.random(using: &random) ? [source, constant] : [constant, source]
    writer.apply(multiply ? 18 : 0, inputs, to: [target], options: [0: .uint8(1)])
    try expect(writer, input, Image(input.shape, values), seed)
  }

  @Test("Padding puts zeros on each side of each axis", arguments: seeds)
  func pad(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let input = Image.random(&random)
    let paddings = (0..<8).map { _ in Int.random(in: 0...2, using: &random) }
    let shape = (0..<4).map { axis -> Int in input.shape[axis] + paddings[2 * axis] + paddings[2 * axis + 1] }
    let expected = Image(shape) { n, y, x, c in
      let (image, channel) = (n - paddings[0], c - paddings[6])
      guard image >= 0, image < input.batch, channel >= 0, channel < input.channels else { return 0 }
      return input.at(image, y - paddings[2], x - paddings[4], channel) ?? 0
    }
    var writer = ModelWriter()
    let source = writer.tensor(input.shape)
    let constant = writer.integers([4, 2], paddings)
    let target = writer.tensor(shape)
    writer.apply(34, [source, constant], to: [target])
    try expect(writer, input, expected, seed)
  }

  @Test("Activations agree, joined to the step before or alone", arguments: [14, 19, 21, 54, 117], [false, true])
  func activation(code: Int, joined: Bool) throws {
    var random = SplitMix64(seed: UInt64(code))
    let input = Image([1, 5, 7, 11], random.numbers(385).map { $0 * 4 })
    let slopes = random.numbers(11)
    let values = input.values.enumerated().map { index, x -> Float in
      switch code {
      case 14: 1 / (1 + exp(-x))
      case 19: max(0, x)
      case 21: min(6, max(0, x))
      case 54: x < 0 ? x * slopes[index % 11] : x
      default: x * min(6, max(0, x + 3)) / 6
      }
    }
    var writer = ModelWriter()
    let source = writer.tensor(input.shape)
    var before = source
    if joined {
      let zero = writer.constant([1], [0])
      before = writer.tensor(input.shape)
      writer.apply(0, [source, zero], to: [before])
    }
    let inputs = code == 54 ? [before, writer.constant([1, 1, 11], slopes)] : [before]
    let target = writer.tensor(input.shape)
    writer.apply(code, inputs, to: [target])
    try expect(writer, input, Image(input.shape, values), UInt64(code))
  }

  @Test("An activation is not joined to a result that others read too")
  func sharedResult() throws {
    var writer = ModelWriter()
    let source = writer.tensor([1, 1, 1, 3])
    let one = writer.constant([1], [1])
    let sum = writer.tensor([1, 1, 1, 3])
    let positive = writer.tensor([1, 1, 1, 3])
    let both = writer.tensor([1, 1, 1, 3])
    writer.apply(0, [source, one], to: [sum])
    writer.apply(19, [sum], to: [positive])
    writer.apply(0, [sum, positive], to: [both])
    writer.inputs = [source]
    writer.outputs = [both, sum]
    let outputs = try Interpreter(model: writer.bytes()).run([-3, 0, 2])
    #expect(outputs == [[-2, 2, 6], [-2, 1, 3]])
  }

  @Test("Concatenation joins along each axis", arguments: -1..<4)
  func concatenation(axis: Int) throws {
    var random = SplitMix64(seed: 5)
    let input = Image([2, 3, 2, 5], random.numbers(60))
    var shape = input.shape
    let index = axis < 0 ? axis + 4 : axis
    shape[index] *= 2
    let expected = Image(shape) { n, y, x, c in
      let at = zip([n, y, x, c], input.shape).map { $0 % $1 }
      return input.at(at[0], at[1], at[2], at[3]) ?? .nan
    }
    var writer = ModelWriter()
    let source = writer.tensor(input.shape)
    let target = writer.tensor(shape)
    writer.apply(2, [source, source], to: [target], options: [0: .int32(axis)])
    try expect(writer, input, expected, 5)
  }

  @Test("Reshaping keeps the numbers in order")
  func reshape() throws {
    var writer = ModelWriter()
    let source = writer.tensor([1, 2, 3, 2])
    let target = writer.tensor([4, 3])
    writer.apply(22, [source], to: [target])
    writer.inputs = [source]
    writer.outputs = [target]
    let interpreter = try Interpreter(model: writer.bytes())
    #expect(interpreter.outputShapes == [[4, 3]])
    #expect(try interpreter.run((0..<12).map(Float.init)) == [(0..<12).map(Float.init)])
  }

  @Test("The exponential agrees with the C library to a few units in the last place")
  func exponential() {
    var random = SplitMix64(seed: 9)
    for _ in 0..<4000 {
      let x = random.unit() * 170 - 86
      let found = Vector(repeating: x).exponential[3]
      let expected = Float(exp(Double(x)))
      #expect(abs(found - expected) <= expected * 4e-7, "e to the power of \(x)")
    }
  }

  private func expect(_ writer: ModelWriter, _ input: Image, _ expected: Image, _ seed: UInt64) throws {
    var writer = writer
    writer.inputs = [0]
    writer.outputs = [writer.lastTensor]
    let interpreter = try Interpreter(model: writer.bytes())
    #expect(interpreter.outputShapes == [expected.shape], "seed \(seed)")
    // Twice: the memory is used again and must not remember.
    for _ in 0..<2 {
      let found = try interpreter.run(input.values)[0]
      try #require(found.count == expected.values.count, "seed \(seed)")
      let worst = zip(found, expected.values).map { abs($0 - $1) / max(1, abs($1)) }.max() ?? 0
      #expect(worst < 2e-5, "seed \(seed)")
    }
  }
}

extension ModelWriter {
  var lastTensor: Int { tensorCount - 1 }
}

extension Image {
  static func random(_ random: inout SplitMix64) -> Image {
    let shape = [
      Int.random(in: 1...2, using: &random), Int.random(in: 5...10, using: &random),
      Int.random(in: 5...10, using: &random), Int.random(in: 1...21, using: &random),
    ]
    return Image(shape, random.numbers(shape.reduce(1, *)))
  }
}
