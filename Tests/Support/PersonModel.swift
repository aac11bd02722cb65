/// Small networks that look at a picture of 64 × 64 pixels and call something of it the person.
public enum PersonModel {
  public static let side = 64

  /// A network whose single output is `red` times the red of each pixel, and `constant`.
  /// - Parameter channelsFirst: whether the channels come before the rows, as in networks of PyTorch.
  public static func of(red: Float = 0, constant: Float, channelsFirst: Bool = false) -> [UInt8] {
    of(weights: [[red, 0, 0]], constants: [constant], channelsFirst: channelsFirst)
  }

  /// A network that gives a number for each class: the weights of its colours, and a constant.
  public static func of(weights: [[Float]], constants: [Float], channelsFirst: Bool = false) -> [UInt8] {
    var writer = ModelWriter()
    let (rows, planes) = ([1, side, side, 3], [1, 3, side, side])
    let input = writer.tensor(channelsFirst ? planes : rows)
    writer.inputs = [input]
    var last = input
    if channelsFirst {
      last = writer.tensor(rows)
      writer.apply(39, [input, writer.integers([4], [0, 2, 3, 1])], to: [last])
    }
    let filter = writer.constant([weights.count, 1, 1, 3], weights.flatMap(\.self))
    let bias = writer.constant([weights.count], constants)
    let result = writer.tensor([1, side, side, weights.count])
    writer.apply(3, [last, filter, bias], to: [result], options: [0: .uint8(0), 1: .int32(1), 2: .int32(1)])
    last = result
    if channelsFirst {
      last = writer.tensor([1, weights.count, side, side])
      writer.apply(39, [result, writer.integers([4], [0, 3, 1, 2])], to: [last])
    }
    writer.outputs = [last]
    return writer.bytes()
  }

  /// A network that has an operator which nobody supports.
  public static var withUnknownOperator: [UInt8] {
    var writer = ModelWriter()
    writer.inputs = [writer.tensor([1, side, side, 3])]
    writer.outputs = [writer.tensor([1, side, side, 1])]
    writer.apply(150, writer.inputs, to: writer.outputs)
    return writer.bytes()
  }

  /// A network that looks at something else than a square picture.
  public static var ofNumbers: [UInt8] {
    var writer = ModelWriter()
    writer.inputs = [writer.tensor([1, 10])]
    writer.outputs = [writer.tensor([1, 10])]
    writer.apply(14, writer.inputs, to: writer.outputs)
    return writer.bytes()
  }
}
