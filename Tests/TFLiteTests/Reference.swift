import Glibc

/// The operators once more, as slowly and plainly as their documentation says them.
struct Image: Equatable {
  var batch: Int
  var height: Int
  var width: Int
  var channels: Int
  var values: [Float]

  var shape: [Int] { [batch, height, width, channels] }

  init(_ shape: [Int], _ values: [Float]) {
    (batch, height, width, channels) = (shape[0], shape[1], shape[2], shape[3])
    self.values = values
  }

  init(_ shape: [Int], filling: (Int, Int, Int, Int) -> Float) {
    self.init(shape, [])
    for n in 0..<batch {
      for y in 0..<height {
        for x in 0..<width {
          for c in 0..<channels { values.append(filling(n, y, x, c)) }
        }
      }
    }
  }

  /// Nil outside.
  func at(_ n: Int, _ y: Int, _ x: Int, _ c: Int) -> Float? {
    guard y >= 0, x >= 0, y < height, x < width else { return nil }
    return values[((n * height + y) * width + x) * channels + c]
  }
}

/// How a window lies over one axis.
struct AxisWindow {
  var kernel: Int
  var stride: Int
  var dilation = 1
  var same: Bool

  func outputLength(_ length: Int) -> Int {
    let reach = (kernel - 1) * dilation + 1
    return same ? Int(ceil(Double(length) / Double(stride))) : (length - reach) / stride + 1
  }

  /// The input position under the first number of the window at `index`.
  func origin(_ index: Int, _ length: Int) -> Int {
    guard same else { return index * stride }
    let reach = (kernel - 1) * dilation + 1
    let total = max(0, (outputLength(length) - 1) * stride + reach - length)
    return index * stride - total / 2
  }
}

enum Reference {
  static func convolution(
    _ input: Image, _ weights: Image, _ bias: [Float]?, _ down: AxisWindow, _ across: AxisWindow, depthwise: Bool
  ) -> Image {
    let channels = depthwise ? weights.channels : weights.batch
    let shape = [input.batch, down.outputLength(input.height), across.outputLength(input.width), channels]
    return Image(shape) { n, y, x, c in
      var sum = Double(bias?[c] ?? 0)
      for row in 0..<weights.height {
        for column in 0..<weights.width {
          let sourceY = down.origin(y, input.height) + row * down.dilation
          let sourceX = across.origin(x, input.width) + column * across.dilation
          if depthwise {
            sum += Double(input.at(n, sourceY, sourceX, c) ?? 0) * Double(weights.at(0, row, column, c) ?? 0)
          } else {
            for depth in 0..<input.channels {
              let value = Double(input.at(n, sourceY, sourceX, depth) ?? 0)
              sum += value * Double(weights.at(c, row, column, depth) ?? 0)
            }
          }
        }
      }
      return Float(sum)
    }
  }

  static func pool(_ input: Image, _ down: AxisWindow, _ across: AxisWindow, maximum: Bool) -> Image {
    let shape = [input.batch, down.outputLength(input.height), across.outputLength(input.width), input.channels]
    return Image(shape) { n, y, x, c in
      var seen: [Float] = []
      for row in 0..<down.kernel {
        for column in 0..<across.kernel {
          let (sourceY, sourceX) = (down.origin(y, input.height) + row, across.origin(x, input.width) + column)
          if let value = input.at(n, sourceY, sourceX, c) { seen.append(value) }
        }
      }
      return maximum ? seen.max() ?? 0 : seen.reduce(0, +) / Float(seen.count)
    }
  }

  /// Each input pixel adds its weighted window to the output, which is then cut to `same` size.
  static func transposeConvolution(_ input: Image, _ weights: Image, _ bias: [Float], stride: Int) -> Image {
    let shape = [input.batch, input.height * stride, input.width * stride, weights.batch]
    var result = Image(shape) { _, _, _, c in bias[c] }
    let before = max(0, weights.height - stride) / 2
    for n in 0..<input.batch {
      for y in 0..<input.height {
        for x in 0..<input.width {
          for c in 0..<weights.batch {
            for row in 0..<weights.height {
              for column in 0..<weights.width {
                let (ty, tx) = (y * stride + row - before, x * stride + column - before)
                guard result.at(n, ty, tx, c) != nil else { continue }
                for depth in 0..<input.channels {
                  result.values[((n * result.height + ty) * result.width + tx) * result.channels + c] +=
                    (input.at(n, y, x, depth) ?? 0) * (weights.at(c, row, column, depth) ?? 0)
                }
              }
            }
          }
        }
      }
    }
    return result
  }

  static func resize(_ input: Image, _ height: Int, _ width: Int, alignCorners: Bool, halfPixel: Bool) -> Image {
    func place(_ index: Int, _ from: Int, _ to: Int) -> (Int, Int, Float) {
      let scale = alignCorners && to > 1 ? Double(from - 1) / Double(to - 1) : Double(from) / Double(to)
      let position = halfPixel ? (Double(index) + 0.5) * scale - 0.5 : Double(index) * scale
      let below = Int(floor(position))
      return (max(0, min(from - 1, below)), max(0, min(from - 1, below + 1)), Float(position - floor(position)))
    }
    return Image([input.batch, height, width, input.channels]) { n, y, x, c in
      let (top, bottom, down) = place(y, input.height, height)
      let (left, right, across) = place(x, input.width, width)
      func value(_ row: Int, _ column: Int) -> Float { input.at(n, row, column, c) ?? 0 }
      let upper = value(top, left) * (1 - across) + value(top, right) * across
      let lower = value(bottom, left) * (1 - across) + value(bottom, right) * across
      return upper * (1 - down) + lower * down
    }
  }
}
