import AtelierProtocol
import CConfinement
import CProcess
import Credentials
import Engine
import Glibc
import JSON
import Store

/// Why a command could not do its work: one sentence, and the exit status of the process.
struct CommandFailure: Error {
  var sentence: String
  /// The exit status for an unusable data directory.
  static let dataDirectoryUnusable: Int32 = 3

  /// 1 for failure, ``dataDirectoryUnusable``, or 128 and the number of the signal that cancelled the work.
  var status: Int32
  /// Whether the work was cancelled.
  var isCancelled = false

  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let failure as JSONDecodingFailure: (sentence, status) = (failure.message, 1)
    case let failure as ConfigurationFailure: (sentence, status) = (failure.sentence, 1)
    case let error as StoreError: (sentence, status) = (error.sentence, Self.dataDirectoryUnusable)
    case let failure as CredentialFailure:
      (sentence, status) = (failure.sentence, failure.isAboutDirectory ? Self.dataDirectoryUnusable : 1)
    default: (sentence, status) = (AtelierError(wrapping: error).message, 1)
    }
  }

  init(sentence: String, status: Int32 = 1, isCancelled: Bool = false) {
    (self.sentence, self.status, self.isCancelled) = (sentence, status, isCancelled)
  }

  func exit() -> Never {
    Console.error("atelier: \(sentence.onOneLine)\n")
    Console.end(status: status)
  }
}
