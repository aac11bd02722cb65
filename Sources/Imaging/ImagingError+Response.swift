import AtelierProtocol
import JSONRPC

extension ImagingError {
  /// The error as the worker answers it.
  public var response: ResponseError {
    ResponseError(
      code: kind.code, message: message, data: ["kind": .string(kind.rawValue), "details": .object(details)])
  }

  /// The error a worker's answer stands for.
  init(_ response: ResponseError) {
    if let name = response.data?["kind"]?.string, let kind = ErrorKind(rawValue: name) {
      self.init(kind, response.message, details: response.data?["details"]?.object ?? [:])
    } else {
      self.init(
        .internal, "The imaging worker does not fit this version. Please reinstall Atelier.",
        details: ["workerCode": .number(JSONNumber(response.code))])
    }
  }
}
