/// Why a model cannot be loaded or run.
public enum ModelError: Error, Sendable, Equatable {
  /// The bytes are not a TensorFlow Lite flatbuffer, or one that contradicts itself.
  case malformed(String)
  /// The model is well formed but asks for something this interpreter does not do.
  case unsupported(String)
  /// The input given to a run has not the size the model wants.
  case wrongInputSize(expected: Int, found: Int)

  /// One sentence for a log.
  public var message: String {
    switch self {
    case .malformed(let reason): "The model is malformed: \(reason)."
    case .unsupported(let reason): "The model is not supported: \(reason)."
    case .wrongInputSize(let expected, let found): "The model takes \(expected) numbers, \(found) were given."
    }
  }
}
