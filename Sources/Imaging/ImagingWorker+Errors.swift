import AtelierProtocol
import JSONRPC

extension ImagingWorker {
  private static let repairAdvice = "Please reinstall Atelier, or run `atelier doctor` to see what is missing."

  static func timedOut(_ deadline: Duration) -> ImagingError {
    let milliseconds = deadline.wholeMilliseconds
    return ImagingError(
      .timedOut, "The picture took too long to work on. Please try a smaller one.",
      details: ["deadlineMs": .number(JSONNumber(milliseconds))])
  }

  static func crashed(_ failure: WorkerFailure) -> ImagingError {
    guard case .endedDuringJob(let end) = failure else {
      return ImagingError(.internal, "The imaging worker gave an answer that makes no sense. \(repairAdvice)")
    }
    var error = ImagingError.unreadable
    error.details = end.details
    return error
  }

  static func notStarted(_ end: WorkerEnd) -> ImagingError {
    ImagingError(.internal, "The imaging worker could not be started. \(repairAdvice)", details: end.details)
  }

  static func notStarted(_ error: any Error) -> ImagingError {
    var details: JSONObject = [:]
    if let error = error as? SystemError { details["errno"] = .number(JSONNumber(Int(error.code))) }
    return ImagingError(.internal, "The imaging worker could not be started. \(repairAdvice)", details: details)
  }
}

extension WorkerEnd {
  fileprivate var details: JSONObject {
    switch self {
    case .exited(let status): ["exitStatus": .number(JSONNumber(Int(status)))]
    case .killed(let signal): ["signal": .number(JSONNumber(Int(signal)))]
    }
  }
}
