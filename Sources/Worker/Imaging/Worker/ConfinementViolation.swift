import AtelierProtocol
import CConfinement
import Glibc
import JSON
import Localization
import Synchronization

/// The death of a worker that made a forbidden system call: a picture has taken it over, or a library needs a call that
/// the list does not have.
struct ConfinementViolation {
  /// The call's number and name, such as `41 socket`; nil when the worker could not tell it.
  var call: String?

  /// - Returns: nil when the worker died of something else.
  init?(_ failure: WorkerFailure, of worker: WorkerProcess) {
    switch failure {
    case .endedBeforeJob(.killed(SIGSYS)), .endedDuringJob(.killed(SIGSYS)):
      call = Self.call(in: worker.child.diagnosticText())
    default: return nil
    }
  }

  /// - Parameter text: may hold anything: whoever has taken over the worker writes to its standard error.
  static func call(in text: String) -> String? {
    guard let line = text.split(separator: "\n").last(where: { $0.hasPrefix(CONFINEMENT_VIOLATION) }) else { return nil }
    let call = line.dropFirst(CONFINEMENT_VIOLATION.count)
    let isPlain = call.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
        UInt8(ascii: " "):
        true
      default: false
      }
    }
    return isPlain && (1...40).contains(call.utf8.count) ? String(call) : nil
  }

  /// For the operator.
  var sentence: String {
    "The imaging worker was ended because it made a forbidden system call: \(call ?? "which one is unknown"). "
      + "A picture may have taken it over."
  }

  /// For the person whose picture it was.
  var error: ImagingError {
    var details: JSONObject = ["signal": .number(JSONNumber(Int(SIGSYS)))]
    details["systemCall"] = call.map { .string($0) }
    return ImagingError(
      .internal,
      "The picture made its decoder attempt something forbidden, and the decoder was stopped. Please choose another photo.",
      details: details)
  }
}

/// What the workers report about their confinement, told from any thread.
final class ConfinementReport: Sendable {
  private let stored = Mutex<WorkerConfinement?>(nil)

  var latest: WorkerConfinement? { stored.withLock { $0 } }

  @Sendable func record(_ confinement: WorkerConfinement) { stored.withLock { $0 = confinement } }
}
