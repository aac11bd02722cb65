import AtelierProtocol
import Glibc

extension CredentialFailure {
  /// What is wrong with a file or folder, in full for the operator.
  static func file(_ sentence: String) -> CredentialFailure {
    CredentialFailure(
      .fileAccessDenied, sentence,
      message: "The stored API keys cannot be used: run `atelier credentials status` where the service runs, "
        + "it says what to do.")
  }

  /// A system call on a file or folder that has just failed.
  /// - Parameter code: its `errno`, where that is not the current one.
  static func system(_ operation: String, _ path: String, code: Int32? = nil) -> CredentialFailure {
    let code = code ?? errno
    let sentence = "Could not \(operation) \(path): \(String(cString: strerror(code)))."
    if [ENOSPC, EDQUOT, EFBIG].contains(code) {
      return CredentialFailure(
        .storageFull, "\(sentence) Free some space and try again.", message: ErrorKind.storageFull.sentence)
    }
    let advice =
      switch code {
      case EACCES, EPERM: "Give your user the right to do so, or choose another folder with --data-dir."
      case EROFS: "Its file system is mounted read-only: choose another folder with --data-dir."
      case ENOTDIR: "A part of the path is a file: choose another folder with --data-dir."
      default: "Choose another folder with --data-dir."
      }
    return file("\(sentence) \(advice)")
  }
}
