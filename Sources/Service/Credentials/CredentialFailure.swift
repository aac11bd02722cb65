import AtelierProtocol
import Glibc
import JSON
import Localization
import POSIX

/// Why credentials cannot be read or changed: in full for the operator, without paths for a caller, and in words of their
/// own for the person in front of the screen.
public struct CredentialFailure: Error, Sendable, Equatable {
  public var kind: ErrorKind
  /// One sentence that says what to do, naming files and commands.
  public var sentence: String
  /// The sentence for the caller of a request: the hint of the error.
  public var message: String
  /// The sentence for the person; nil for that of the kind.
  var personal: Sentence?
  public var provider: ProviderID?
  /// True when the data directory cannot be used, which commands report in their exit status.
  public var isAboutDirectory = false
  /// Why there is no key, other than that none was set.
  public var reason: Reason?

  /// For `details.reason`.
  public enum Reason: String, Sendable {
    case placeholder = "placeholder_key"
    case keyringLocked = "keyring_locked"
    case keyringUnavailable = "keyring_unavailable"
  }

  init(
    _ kind: ErrorKind, _ sentence: String, message: String? = nil, personal: Sentence? = nil, provider: ProviderID? = nil,
    reason: Reason? = nil
  ) {
    self.kind = kind
    self.sentence = sentence
    self.message = message ?? sentence
    self.personal = personal
    self.provider = provider
    self.reason = reason
  }

  /// The error as a response to a request.
  public var atelierError: AtelierError {
    AtelierError(
      kind, personal, hint: message, provider: provider,
      details: reason.map { ["reason": .string($0.rawValue)] } ?? [:])
  }

  /// The same failure, marked as concerning the data directory.
  var aboutDirectory: CredentialFailure {
    var failure = self
    failure.isAboutDirectory = true
    return failure
  }
}

extension CredentialFailure {
  /// A problem with a file or folder, in full for the operator.
  static func file(_ sentence: String) -> CredentialFailure {
    CredentialFailure(
      .fileAccessDenied, sentence,
      message: "The stored API keys cannot be used: run `atelier credentials status` where the service runs, "
        + "it says what to do.",
      personal: "The stored API keys cannot be used at the moment.")
  }

  static func system(_ failure: FileFailure) -> CredentialFailure {
    system(failure.operation, failure.path, code: failure.code)
  }

  /// A failed system call on a file or folder.
  /// - Parameter code: its `errno`, if not the current one.
  static func system(_ operation: String, _ path: String, code: Int32? = nil) -> CredentialFailure {
    let code = code ?? errno
    let sentence = "Could not \(operation) \(path): \(String(cString: strerror(code)))."
    if [ENOSPC, EDQUOT, EFBIG].contains(code) {
      return CredentialFailure(
        .storageFull, "\(sentence) Free some space and try again.",
        message: "Free some space on the disk of the data directory.")
    }
    if SystemError.isOutOfDescriptors(code) {
      return CredentialFailure(.overloaded, "\(sentence) Allow Atelier more open files (ulimit -n).",
        message: AtelierError.tooManyOpenFilesHint)
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

extension CredentialFailure {
  /// Why a key in the keyring cannot be used.
  /// - Returns: nil for an answer that needs no explanation.
  init?(_ answer: SecretServiceAnswer, provider: ProviderID) {
    switch answer {
    case .locked:
      self.init(
        .noApiKey,
        "The API key is in a keyring that is locked: unlock it, as with the desktop's password manager, and try again.",
        personal: "The API key is in a keyring that is locked: unlock it and try again.", provider: provider,
        reason: .keyringLocked)
    case .overdue:
      self.init(
        .noApiKey,
        "The keyring did not answer in time, perhaps because it is locked, and there is no API key elsewhere: unlock it, "
          + "as with the desktop's password manager, or set the key again.",
        provider: provider, reason: .keyringUnavailable)
    case .failed:
      self.init(
        .noApiKey,
        "The keyring cannot be asked, because nothing serves it or it refuses, and there is no API key elsewhere: start "
          + "it, or set the key, which is then kept in a file.",
        provider: provider, reason: .keyringUnavailable)
    case .unusable:
      self.init(
        .invalidApiKey, "What the keyring holds for \(provider.rawValue) is no API key: set the key again.",
        provider: provider)
    case .found, .absent, .notThere: return nil
    }
  }
}
