import AtelierProtocol
import Credentials
import Engine
import Glibc
import Store

/// Why a command for people could not do its work: one sentence, and the status the process ends with (PROTOCOL 7).
struct CommandFailure: Error {
  var sentence: String
  /// The status for a data directory that cannot be used.
  static let dataDirectoryUnusable: Int32 = 3

  /// 1 failed, or ``dataDirectoryUnusable``.
  var status: Int32

  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as StoreError: (sentence, status) = (error.sentence, Self.dataDirectoryUnusable)
    case let failure as CredentialFailure:
      (sentence, status) = (failure.sentence, failure.isAboutDirectory ? Self.dataDirectoryUnusable : 1)
    default: (sentence, status) = (AtelierError(wrapping: error).message, 1)
    }
  }

  init(sentence: String, status: Int32 = 1) {
    (self.sentence, self.status) = (sentence, status)
  }

  func exit() -> Never {
    Console.error("atelier: \(sentence)\n")
    Glibc.exit(status)
  }
}
