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

  /// The exit status for wrong usage.
  static let wrongUsage: Int32 = 2

  /// 1 for failure, ``wrongUsage``, ``dataDirectoryUnusable``, or 128 and the number of the signal that cancelled the work.
  var status: Int32
  /// Whether the sentence is coloured.
  var color = ColorChoice.auto

  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let failure as JSONDecodingFailure:
      sentence = CommandWords.sentence(about: failure.path, mustBe: failure.expected)
      status = Self.wrongUsage
    case let failure as ConfigurationFailure: (sentence, status) = (failure.sentence, 1)
    case let error as StoreError: (sentence, status) = (CommandWords.sentence(error.sentence), Self.dataDirectoryUnusable)
    case let failure as CredentialFailure:
      (sentence, status) = (failure.sentence, failure.isAboutDirectory ? Self.dataDirectoryUnusable : 1)
    default:
      let failure = AtelierError(wrapping: error)
      sentence = CommandWords.sentence(of: failure)
      status = failure.kind == .wrongRecipeInput ? Self.wrongUsage : 1
    }
  }

  init(sentence: String, status: Int32 = 1) {
    (self.sentence, self.status) = (sentence, status)
  }

  func exit() -> Never {
    let terminal = Terminal(STDERR_FILENO, color: color)
    Console.error(terminal.colored(terminal.wrapped("atelier: \(sentence.onOneLine)"), .red) + "\n")
    Console.end(status: status)
  }
}
