import AtelierProtocol
import CVips
import Glibc

/// Error messages of libvips; for details, never shown to a person.
struct VipsFailure: Error {
  var reason: String

  /// Takes the messages that libvips has recorded since the last call.
  static func take() -> VipsFailure { VipsFailure(reason: takeNotes()) }

  /// The errors and warnings that libvips has recorded since the last call; empty if there are none.
  static func takeNotes() -> String {
    // The closure initialises what cvips_take_error says it wrote, without the terminator, which the space includes.
    String(unsafeUninitializedCapacity: 2048) { buffer in
      buffer.withMemoryRebound(to: CChar.self) { cvips_take_error($0.baseAddress, $0.count) }
    }
  }
}
