/// How a kernel's window moves over an image.
struct Window {
  let kernelHeight: Int
  let kernelWidth: Int
  let strideHeight: Int
  let strideWidth: Int
  let dilationHeight: Int
  let dilationWidth: Int
  private(set) var top: Int
  private(set) var left: Int
  let outputHeight: Int
  let outputWidth: Int

  enum Padding {
    /// The output has a position for each stride of the input; positions outside the input are zero.
    case same
    /// The window never leaves the input.
    case valid
  }

  /// Derives the output's size from the input's.
  /// Source: TensorFlow's documentation of padding; `ComputePaddingHeightWidth` in TensorFlow Lite.
  init(
    input: Shape, kernel: (height: Int, width: Int), stride: (height: Int, width: Int),
    dilation: (height: Int, width: Int) = (1, 1), padding: Padding
  ) throws(ModelError) {
    let range = 1...4096
    let numbers = [kernel.height, kernel.width, stride.height, stride.width, dilation.height, dilation.width]
    guard numbers.allSatisfy(range.contains) else { throw .malformed("a window of \(numbers)") }
    kernelHeight = kernel.height
    kernelWidth = kernel.width
    strideHeight = stride.height
    strideWidth = stride.width
    dilationHeight = dilation.height
    dilationWidth = dilation.width
    let reachHeight = (kernel.height - 1) * dilation.height + 1
    let reachWidth = (kernel.width - 1) * dilation.width + 1
    switch padding {
    case .same:
      outputHeight = (input.height + stride.height - 1) / stride.height
      outputWidth = (input.width + stride.width - 1) / stride.width
      top = max(0, (outputHeight - 1) * stride.height + reachHeight - input.height) / 2
      left = max(0, (outputWidth - 1) * stride.width + reachWidth - input.width) / 2
    case .valid:
      outputHeight = (input.height - reachHeight) / stride.height + 1
      outputWidth = (input.width - reachWidth) / stride.width + 1
      top = 0
      left = 0
      guard input.height >= reachHeight, input.width >= reachWidth else {
        throw .malformed("a window larger than its input")
      }
    }
  }

  /// The same over a picture without the `rows` and `columns` of zeros that were before it.
  func without(rows: Int, columns: Int) -> Window {
    var window = self
    window.top += rows
    window.left += columns
    return window
  }

  /// Whether each position looks at the position of the same number only.
  var isPointwise: Bool {
    kernelHeight == 1 && kernelWidth == 1 && strideHeight == 1 && strideWidth == 1 && top == 0 && left == 0
  }

  /// From the first column that the window looks at to behind the last one.
  var reachWidth: Int { (kernelWidth - 1) * dilationWidth + 1 }

  /// The kernel rows that overlap the input at output row `y`.
  @inline(__always)
  func kernelRows(at y: Int, height: Int) -> Range<Int> {
    Self.meeting(origin: y * strideHeight - top, count: kernelHeight, dilation: dilationHeight, length: height)
  }

  /// The kernel columns that overlap the input at output column `x`.
  @inline(__always)
  func kernelColumns(at x: Int, width: Int) -> Range<Int> {
    Self.meeting(origin: x * strideWidth - left, count: kernelWidth, dilation: dilationWidth, length: width)
  }

  /// The output columns at which all kernel columns overlap the input.
  func wholeColumns(width: Int) -> Range<Int> {
    let first = min(outputWidth, (left + strideWidth - 1) / strideWidth)
    let room = width - 1 - (kernelWidth - 1) * dilationWidth + left
    return first..<max(first, room < 0 ? 0 : min(outputWidth, room / strideWidth + 1))
  }

  @inline(__always)
  private static func meeting(origin: Int, count: Int, dilation: Int, length: Int) -> Range<Int> {
    let first = origin >= 0 ? 0 : (-origin + dilation - 1) / dilation
    let end = origin >= length ? 0 : min(count, (length - 1 - origin) / dilation + 1)
    return first < end ? first..<end : 0..<0
  }
}

/// `PAD` and `PADV2`: zeros or another number around an image, in all four axes.
struct PadKernel: Kernel {
  let input: Operand
  let output: Int
  let outputShape: Shape
  /// How many stand before the first number of each axis.
  let before: [Int]
  let filling: Float

  /// - Parameter paddings: before and after of each axis, outermost axis first.
  init(input: Operand, paddings: [Int], filling: Float, output: Int) throws(ModelError) {
    guard input.shape.axes.count == 4, paddings.count == 8, paddings.allSatisfy((0...4096).contains) else {
      throw .malformed("paddings \(paddings) do not fit the shape \(input.shape)")
    }
    self.input = input
    self.output = output
    self.filling = filling
    before = [paddings[0], paddings[2], paddings[4], paddings[6]]
    var axes: [Int] = []
    for axis in 0..<4 { axes.append(input.shape.axes[axis] + paddings[2 * axis] + paddings[2 * axis + 1]) }
    outputShape = try Shape(axes)
  }

  var reads: [Operand] { [input] }

  /// Whether a window that looks at zeros outside the picture needs no copy with zeros around it.
  var isSurroundingZeros: Bool {
    filling == 0 && outputShape.batch == input.shape.batch && outputShape.channels == input.shape.channels
  }

  func run(in memory: Memory) {
    let source = memory.read(input)
    let target = memory.write(output)
    let shape = input.shape
    target.update(repeating: filling, count: outputShape.elements)
    for image in 0..<shape.batch {
      for y in 0..<shape.height {
        for x in 0..<shape.width {
          let from = ((image * shape.height + y) * shape.width + x) * shape.channels
          let line = (image + before[0]) * outputShape.height + y + before[1]
          let to = (line * outputShape.width + x + before[2]) * outputShape.channels + before[3]
          (target + to).update(from: source + from, count: shape.channels)
        }
      }
    }
  }
}
