extension PixelImage {
  /// The picture turned clockwise.
  func turned(quarterTurns: Int) -> PixelImage {
    let turns = quarterTurns & 3
    guard turns != 0, isWellFormed else { return self }
    let (newWidth, newHeight) = turns == 2 ? (width, height) : (height, width)
    // The place of the result's first pixel, and the steps along its rows and columns, in pixels of this picture.
    let (first, across, down) =
      switch turns {
      case 1: ((height - 1) * width, -width, 1)
      case 2: (width * height - 1, -1, -width)
      default: (width - 1, width, -1)
      }
    // The turn is one to one: each place of the result is read from another one inside this picture.
    let turned = pixels.withUnsafeBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: pixels.count) { target, count in
        for y in 0..<newHeight {
          for x in 0..<newWidth {
            let from = (first + x * across + y * down) * 3
            let to = (y * newWidth + x) * 3
            for band in 0..<3 { target[to &+ band] = source[from &+ band] }
          }
        }
        count = pixels.count
      }
    }
    return PixelImage(width: newWidth, height: newHeight, pixels: turned)
  }
}
