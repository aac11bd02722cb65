import CVips

/// What libvips says went wrong; for details, never for a person's eyes.
struct VipsFailure: Error {
  var reason: String

  /// Takes what libvips has noted since the last time.
  static func take() -> VipsFailure { VipsFailure(reason: takeNotes()) }

  /// What libvips has noted as errors and warnings since the last time; empty when all was well.
  static func takeNotes() -> String {
    // The closure initialises what cvips_take_error says it wrote, without the terminator, which the space includes.
    String(unsafeUninitializedCapacity: 2048) { buffer in
      buffer.withMemoryRebound(to: CChar.self) { cvips_take_error($0.baseAddress, $0.count) }
    }
  }
}
