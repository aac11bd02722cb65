import Dispatch

/// Cuts a rotated square, or columns of one, out of a picture, in one resampling with a cubic filter (Catmull-Rom).
///
/// Where the picture is scaled down, the filter is widened by the same factor, so that fine detail does not alias.
struct CropResampler {
  /// The binary digits after the point of positions.
  private static let fraction = 24
  /// The places between two pixels for which there are weights.
  private static let phases = 64
  /// The side of the tiles of the result. A tile's part of the source stays in the processor's cache.
  private static let tileSide = 64

  private let source: PixelImage
  /// The sides of the result.
  private let width: Int
  private let height: Int
  /// The filter reaches this many pixels to either side.
  private let reach: Int
  /// For each phase, the weights of `2 * reach` pixels, each for all channels.
  private let weights: [Colour]
  /// The position of the first pixel's centre and the steps along a row and down a column, in 2⁻²⁴ pixels.
  private let origin: (x: Int, y: Int)
  private let across: (x: Int, y: Int)
  private let down: (x: Int, y: Int)

  /// `size` × `size` pixels, or only some columns of them; beyond the picture's edges, the nearest pixels are repeated.
  static func image(
    of square: CropSquare, in source: PixelImage, size: Int, columns: Range<Int>? = nil
  ) -> PixelImage {
    CropResampler(square, source, size, columns ?? 0..<size).image()
  }

  private init(_ square: CropSquare, _ source: PixelImage, _ size: Int, _ columns: Range<Int>) {
    self.source = source
    width = columns.count
    height = size
    let step = square.side / Double(size)
    let widening = max(1, step)
    reach = Int((2 * widening).rounded(.up))
    weights = Self.weights(reach: reach, widening: Float(widening))
    func fixed(_ number: Double) -> Int { Int((number * Double(1 << Self.fraction)).rounded()) }
    let first = square.point((Double(columns.lowerBound) + 0.5) / Double(size), 0.5 / Double(size))
    let directions = square.directions
    origin = (fixed(first.x - 0.5), fixed(first.y - 0.5))
    across = (fixed(step * directions.across.x), fixed(step * directions.across.y))
    down = (fixed(step * directions.down.x), fixed(step * directions.down.y))
  }

  private static func weights(reach: Int, widening: Float) -> [Colour] {
    (0..<phases).flatMap { phase in
      let place = (Float(phase) + 0.5) / Float(phases)
      let weights = (0..<2 * reach).map { catmullRom(abs(Float($0 - reach + 1) - place) / widening) }
      let sum = weights.reduce(0, +)
      return weights.map { Colour(repeating: $0 / sum) }
    }
  }

  private static func catmullRom(_ x: Float) -> Float {
    if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
    return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
  }

  private func image() -> PixelImage {
    let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 3) { target, count in
      // Each row of tiles writes rows of its own.
      nonisolated(unsafe) let target = target
      DispatchQueue.concurrentPerform(iterations: (height + Self.tileSide - 1) / Self.tileSide) { index in
        let top = index * Self.tileSide
        resample(top..<min(height, top + Self.tileSide), into: target)
      }
      count = width * height * 3
    }
    return PixelImage(width: width, height: height, pixels: pixels)
  }

  /// Makes a row of tiles.
  private func resample(_ rows: Range<Int>, into target: UnsafeMutableBufferPointer<UInt8>) {
    var area = SourceArea()
    var lines: [Colour] = []
    for left in stride(from: 0, to: width, by: Self.tileSide) {
      let columns = left..<min(width, left + Self.tileSide)
      area.take(bounds(rows, columns), from: source)
      // Constants, so that the loops over the filter are unrolled.
      switch reach {
      case 2: resample(rows, columns, area, &lines, reach: 2, into: target)
      case 3: resample(rows, columns, area, &lines, reach: 3, into: target)
      case 4: resample(rows, columns, area, &lines, reach: 4, into: target)
      default: resample(rows, columns, area, &lines, reach: reach, into: target)
      }
    }
  }

  /// Whether the rows of the result are parallel to the source's, so that they share what is made of each line.
  private var isLevel: Bool { across.y == 0 && down.x == 0 }

  @inline(__always)
  private func resample(
    _ rows: Range<Int>, _ columns: Range<Int>, _ area: SourceArea, _ lines: inout [Colour], reach: Int,
    into target: UnsafeMutableBufferPointer<UInt8>
  ) {
    if isLevel {
      squeeze(columns, area, reach: reach, into: &lines)
      resampleLevel(rows, columns, area, lines, reach: reach, into: target)
    } else {
      resample(rows, columns, area, reach: reach, into: target)
    }
  }

  /// The source pixels that the filter reads for a tile.
  private func bounds(_ rows: Range<Int>, _ columns: Range<Int>) -> (x: ClosedRange<Int>, y: ClosedRange<Int>) {
    func range(_ origin: Int, _ across: Int, _ down: Int) -> ClosedRange<Int> {
      // A position is a linear function of row and column, so its extremes are at corners of the tile.
      let corners = [rows.lowerBound, rows.upperBound - 1].flatMap { row in
        [columns.lowerBound, columns.upperBound - 1].map { (origin + row * down + $0 * across) >> Self.fraction }
      }
      return (corners.min() ?? 0) - reach + 1...(corners.max() ?? 0) + reach
    }
    return (range(origin.x, across.x, down.x), range(origin.y, across.y, down.y))
  }

  /// A part of the source as numbers, which may reach beyond its edges.
  private struct SourceArea {
    var x = 0
    var y = 0
    var width = 0
    var height = 0
    var colours: [Colour] = []

    mutating func take(_ bounds: (x: ClosedRange<Int>, y: ClosedRange<Int>), from source: PixelImage) {
      (x, y, width, height) = (bounds.x.lowerBound, bounds.y.lowerBound, bounds.x.count, bounds.y.count)
      let (count, columns) = (width, bounds.x.lowerBound..<bounds.x.upperBound + 1)
      if colours.count < count * height {
        colours += [Colour](repeating: .zero, count: count * height - colours.count)
      }
      // Those beyond the source's edges are like the nearest.
      let inside = columns.clamped(to: 0..<source.width)
      source.pixels.withUnsafeBufferPointer { pixels in
        colours.withUnsafeMutableBufferPointer { colours in
          // `colours` has room for the area, and a well-formed picture three bytes at each of its positions.
          func colour(_ at: Int) -> Colour {
            Colour(Float(pixels[at &* 3]), Float(pixels[at &* 3 &+ 1]), Float(pixels[at &* 3 &+ 2]), 0)
          }
          for row in bounds.y {
            let start = max(0, min(source.height - 1, row)) * source.width
            let target = (row - bounds.y.lowerBound) * count - columns.lowerBound
            for column in inside { colours[target &+ column] = colour(start &+ column) }
            let (first, last) = (colour(start), colour(start &+ source.width &- 1))
            for column in columns.clamped(to: .min..<0) { colours[target &+ column] = first }
            for column in columns.clamped(to: source.width..<Int.max) { colours[target &+ column] = last }
          }
        }
      }
    }
  }

  /// What the filter makes of each line of the area, at the columns of the result: as many as `columns` for each line.
  @inline(__always)
  private func squeeze(_ columns: Range<Int>, _ area: SourceArea, reach: Int, into lines: inout [Colour]) {
    let taps = 2 * reach
    let count = area.height * columns.count
    if lines.count < count { lines += [Colour](repeating: .zero, count: count - lines.count) }
    area.colours.withUnsafeBufferPointer { colours in
      weights.withUnsafeBufferPointer { weights in
        lines.withUnsafeMutableBufferPointer { lines in
          for line in 0..<area.height {
            var x = origin.x + columns.lowerBound * across.x
            let start = line &* area.width &- reach &+ 1 &- area.x
            let target = line &* columns.count
            for column in 0..<columns.count {
              let horizontal = ((x >> (Self.fraction - 6)) & (Self.phases - 1)) &* taps
              // `bounds` made the area cover all taps of each position in the tile.
              let at = start &+ (x >> Self.fraction)
              var part = Colour.zero
              for tap in 0..<taps { part += colours[at &+ tap] * weights[horizontal &+ tap] }
              lines[target &+ column] = part
              x = x &+ across.x
            }
          }
        }
      }
    }
  }

  /// - Parameter lines: of ``squeeze(_:_:reach:into:)``.
  @inline(__always)
  private func resampleLevel(
    _ rows: Range<Int>, _ columns: Range<Int>, _ area: SourceArea, _ lines: [Colour], reach: Int,
    into target: UnsafeMutableBufferPointer<UInt8>
  ) {
    let taps = 2 * reach
    let count = columns.count
    lines.withUnsafeBufferPointer { lines in
      weights.withUnsafeBufferPointer { weights in
        for row in rows {
          let y = origin.y + row * down.y
          let vertical = ((y >> (Self.fraction - 6)) & (Self.phases - 1)) &* taps
          // `bounds` made the area cover all taps of each position in the tile.
          let start = ((y >> Self.fraction) &- reach &+ 1 &- area.y) &* count
          for column in 0..<count {
            var at = start &+ column
            var sum = Colour.zero
            for line in 0..<taps {
              sum += lines[at] * weights[vertical &+ line]
              at = at &+ count
            }
            target.store(sum.roundedBytes, pixel: row &* width &+ columns.lowerBound &+ column)
          }
        }
      }
    }
  }

  @inline(__always)
  private func resample(
    _ rows: Range<Int>, _ columns: Range<Int>, _ area: SourceArea, reach: Int, into target: UnsafeMutableBufferPointer<UInt8>
  ) {
    let taps = 2 * reach
    area.colours.withUnsafeBufferPointer { colours in
      weights.withUnsafeBufferPointer { weights in
        for row in rows {
          var x = origin.x + row * down.x + columns.lowerBound * across.x
          var y = origin.y + row * down.y + columns.lowerBound * across.y
          for column in columns {
            let horizontal = ((x >> (Self.fraction - 6)) & (Self.phases - 1)) &* taps
            let vertical = ((y >> (Self.fraction - 6)) & (Self.phases - 1)) &* taps
            // `bounds` made the area cover all taps of each position in the tile.
            var at = ((y >> Self.fraction) &- reach &+ 1 &- area.y) &* area.width
            at = at &+ (x >> Self.fraction) &- reach &+ 1 &- area.x
            var sum = Colour.zero
            for line in 0..<taps {
              var part = Colour.zero
              for tap in 0..<taps { part += colours[at &+ tap] * weights[horizontal &+ tap] }
              sum += part * weights[vertical &+ line]
              at = at &+ area.width
            }
            target.store(sum.roundedBytes, pixel: row &* width &+ column)
            x = x &+ across.x
            y = y &+ across.y
          }
        }
      }
    }
  }
}
