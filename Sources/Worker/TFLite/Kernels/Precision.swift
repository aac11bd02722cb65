import CMatrixProduct

extension [Float] {
  /// The little-endian numbers of a model. Swift runs on no processor of the other order.
  init(singlePrecision bytes: ArraySlice<UInt8>) {
    self.init(bytes, size: 4, single_precision)
  }

  init(halfPrecision bytes: ArraySlice<UInt8>) {
    self.init(bytes, size: 2, half_precision)
  }

  /// - Parameter read: reads as many numbers from the bytes as it is asked for, and writes all of them.
  private init(
    _ bytes: ArraySlice<UInt8>, size: Int, _ read: (UnsafeRawPointer, Int, UnsafeMutablePointer<Float>) -> Void
  ) {
    // Whole numbers only; both buffers have exactly as many.
    let count = bytes.count / size
    self.init(unsafeUninitializedCapacity: count) { numbers, initialised in
      bytes.withUnsafeBytes { bytes in
        guard let source = bytes.baseAddress, let target = numbers.baseAddress else { return }
        read(source, count, target)
        initialised = count
      }
    }
  }
}
