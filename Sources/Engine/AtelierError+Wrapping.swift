import AtelierProtocol
import Imaging
import Store

extension AtelierError {
  /// The error for a caller, whatever was thrown below.
  public init(wrapping error: any Error) {
    switch error {
    case let error as AtelierError: self = error
    case let error as StoreError: self = error.atelierError
    case let error as ImagingError: self.init(error.kind, error.message, details: error.details)
    default: self.init(.internal)
    }
  }

  /// The same, naming the generation it is about.
  func about(_ id: GenerationID) -> AtelierError {
    var error = self
    error.generationId = id
    return error
  }
}
