/// Why a model cannot be loaded or run.
public enum ModelError: Error, Sendable, Equatable {
  /// The bytes are not a valid TensorFlow Lite flatbuffer.
  case malformed(String)
  /// The model is valid but needs something that this interpreter does not support.
  case unsupported(String)
  /// The model has an operator that this interpreter does not know.
  case unknownOperator(String)
  /// The input of a run does not have the size that the model requires.
  case wrongInputSize(expected: Int, found: Int)

  /// One sentence for a log.
  public var message: String {
    switch self {
    case .malformed(let reason): "The model is malformed: \(reason)."
    case .unsupported(let reason): "The model is not supported: \(reason)."
    case .unknownOperator(let name): "The model has the operator \(name), which is not supported."
    case .wrongInputSize(let expected, let found): "The model takes \(expected) numbers, \(found) were given."
    }
  }
}
