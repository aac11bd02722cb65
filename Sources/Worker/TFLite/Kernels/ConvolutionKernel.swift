import CMatrixProduct

/// `CONV_2D`: a matrix product over the window's numbers, which are read where they lie: in the input, or in a copy of a
/// few of its lines with zeros around it.
struct ConvolutionKernel: ActivatedKernel {
  /// Pictures of the same size, whose channels follow each other.
  let parts: [ConvolutionInput]
  /// Of all of them together.
  let shape: Shape
  var output: Int
  var outputShape: Shape
  let window: Window
  let weights: PackedWeights
  var activation: Activation
  private let band: Band

  /// - Parameter filter: the weights' shape: output channels, height, width, input channels.
  init(
    parts: [ConvolutionInput], shape: Shape, filter: Shape, weights: [Float], bias: [Float]?, window: Window,
    activation: Activation, output: Int, constants: inout [Float]
  ) throws(ModelError) {
    guard filter.axes.count == 4, filter.channels == shape.channels, weights.count == filter.elements,
      bias == nil || bias?.count == filter.batch, parts.reduce(0, { $0 + $1.shape.channels }) == shape.channels,
      parts.allSatisfy({ $0.shape.elements / $0.shape.channels == shape.elements / shape.channels })
    else { throw .malformed("a convolution's weights \(filter) do not fit its input \(shape)") }
    self.parts = parts
    self.shape = shape
    self.output = output
    self.window = window
    self.activation = activation
    band = Band(window, channels: filter.channels)
    outputShape = try Shape([shape.batch, window.outputHeight, window.outputWidth, filter.batch])
    self.weights = try PackedWeights(
      weights: weights, bias: bias, depth: filter.height * filter.width * filter.channels, channels: filter.batch,
      constants: &constants)
  }

  var reads: [Operand] { parts.map(\.operand) }
  var scratchSize: Int { isPointwise ? 0 : band.size }
  /// Copying counts as well, of resized pictures fourfold: a window with large steps copies far more than it multiplies.
  var cost: Int {
    let copied = isPointwise ? 0 : outputShape.batch * rowGroups * columnGroups * band.size
    return outputShape.elements * weights.depth + copied * (parts.contains { $0.resize != nil } ? 4 : 1)
  }

  /// How many bands there are below and beside each other.
  private var rowGroups: Int { (window.outputHeight + band.rows - 1) / band.rows }
  private var columnGroups: Int { (window.outputWidth + band.columns - 1) / band.columns }

  private var isPointwise: Bool {
    parts.count == 1 && parts[0].resize == nil && window.isPointwise && window.outputHeight == shape.height
      && window.outputWidth == shape.width
  }

  func run(in memory: Memory) {
    isPointwise ? runPointwise(in: memory) : runBands(in: memory)
  }

  private func runPointwise(in memory: Memory) {
    let (source, target) = (memory.read(parts[0].operand), memory.write(output))
    let pixels = outputShape.elements / outputShape.channels
    // Few enough pixels that the activation finds them still in the cache.
    for first in stride(from: 0, to: pixels, by: 96) {
      finish(
        source + first * weights.depth, offsets: [0], length: weights.depth, step: weights.depth,
        target + first * weights.channels, min(96, pixels - first), memory)
    }
  }

  private func runBands(in memory: Memory) {
    let groups = rowGroups
    let length = band.length
    memory.forEachPart(of: outputShape.batch * groups) { part, scratch in
      for group in part {
        let image = group / groups
        let first = group % groups * band.rows
        let rows = first..<min(first + band.rows, window.outputHeight)
        for first in stride(from: 0, to: window.outputWidth, by: band.columns) {
          let columns = first..<min(first + band.columns, window.outputWidth)
          fill(scratch, image, rows, columns, memory)
          for row in rows {
            let place = (image * window.outputHeight + row) * window.outputWidth + columns.lowerBound
            finish(
              scratch + (row - rows.lowerBound) * band.rowStep, offsets: band.offsets, length: length,
              step: window.strideWidth * shape.channels, memory.write(output) + place * weights.channels,
              columns.count, memory)
          }
        }
      }
    }
  }

  private func finish(
    _ source: UnsafePointer<Float>, offsets: [Int], length: Int, step: Int, _ target: UnsafeMutablePointer<Float>,
    _ count: Int, _ memory: Memory
  ) {
    offsets.withUnsafeBufferPointer { offsets in
      guard let first = offsets.baseAddress else { return }
      let rows = matrix_rows(
        first: source, offsets: first, runs: offsets.count, length: length, step: step, count: count)
      weights.multiply(rows, into: target, memory: memory)
    }
    activation.apply(to: target, count: count * weights.channels, channels: weights.channels, memory: memory)
  }

  /// Copies the lines of the input that the windows at some positions look at; zero outside the image.
  private func fill(
    _ target: UnsafeMutablePointer<Float>, _ image: Int, _ rows: Range<Int>, _ columns: Range<Int>, _ memory: Memory
  ) {
    let channels = shape.channels
    let width = (columns.count - 1) * window.strideWidth + window.reachWidth
    let left = columns.lowerBound * window.strideWidth - window.left
    // The positions inside the image; none where the window looks only at its outside.
    let first = min(max(0, -left), width)
    let inside = first..<max(first, min(width, shape.width - left))
    let top = rows.lowerBound * window.strideHeight - window.top
    let lines = (rows.count - 1) * window.strideHeight + window.kernelHeight
    for line in 0..<lines {
      let start = target + line * band.width * channels
      let y = top + line * window.dilationHeight
      guard (0..<shape.height).contains(y), !inside.isEmpty else {
        start.update(repeating: 0, count: width * channels)
        continue
      }
      start.update(repeating: 0, count: inside.lowerBound * channels)
      let columns = left + inside.lowerBound..<left + inside.upperBound
      var part = start + inside.lowerBound * channels
      for input in parts {
        input.copy(image * shape.height + y, columns, to: part, step: channels, memory)
        part += input.shape.channels
      }
      (start + inside.upperBound * channels).update(repeating: 0, count: (width - inside.upperBound) * channels)
    }
  }
}

/// A picture, or what it becomes by resizing, that a convolution looks at.
struct ConvolutionInput {
  let operand: Operand
  let resize: ResizeBilinearKernel?

  var shape: Shape { resize?.outputShape ?? operand.shape }

  /// Copies a part of one line, counted through all pictures, to positions that are `step` apart.
  fileprivate func copy(
    _ line: Int, _ columns: Range<Int>, to target: UnsafeMutablePointer<Float>, step: Int, _ memory: Memory
  ) {
    let channels = shape.channels
    if let resize { return resize.write(line, columns, to: target, step: step, memory) }
    let source = memory.read(operand) + (line * shape.width + columns.lowerBound) * channels
    if step == channels {
      target.update(from: source, count: columns.count * channels)
    } else {
      for index in 0..<columns.count {
        (target + index * step).update(from: source + index * channels, count: channels)
      }
    }
  }
}

/// The part of a convolution's input that is copied at a time, with zeros around the image: the windows of neighbouring
/// positions share its numbers, and it stays in the cache.
private struct Band {
  /// How many rows and columns of results are made from it.
  let rows: Int
  let columns: Int
  /// The positions in a line.
  let width: Int
  /// Where the lines or, of a window with gaps, the positions of a window begin, counted from its first number.
  let offsets: [Int]
  /// The numbers that follow each other at each of them.
  let length: Int
  /// From a row of results to the next one.
  let rowStep: Int
  /// In numbers. It cannot overflow: `Window` bounds lengths and steps by 2¹², `Shape` the numbers of the input and the
  /// weights by 2²⁵. The band itself is allocated once the plan has found it small enough.
  let size: Int

  init(_ window: Window, channels: Int) {
    // The lines of a window with gaps are not those of the next one.
    rows = window.dilationHeight == 1 ? min(4, window.outputHeight) : 1
    let lines = (rows - 1) * window.strideHeight + window.kernelHeight
    // Whole tiles of the product.
    columns = min(window.outputWidth, max(1, 32_768 / (lines * channels * window.strideWidth) / 12) * 12)
    let width = (columns - 1) * window.strideWidth + window.reachWidth
    self.width = width
    rowStep = window.strideHeight * width * channels
    size = lines * width * channels
    let lineOffsets = (0..<window.kernelHeight).map { $0 * width * channels }
    if window.dilationWidth == 1 {
      (offsets, length) = (lineOffsets, window.kernelWidth * channels)
    } else {
      length = channels
      offsets = lineOffsets.flatMap { line in
        (0..<window.kernelWidth).map { line + $0 * window.dilationWidth * channels }
      }
    }
  }
}
