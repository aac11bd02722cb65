import Glibc
import JSON
import ObjectStorage
import POSIX

/// The key of a bucket: a file that only its owner can read, the environment, or the desktop's keyring.
public enum BucketKey {
  /// The variables that other programs for such storages read as well.
  public static let variables = (key: "AWS_ACCESS_KEY_ID", secret: "AWS_SECRET_ACCESS_KEY", token: "AWS_SESSION_TOKEN")

  /// Where a provider is named in the keyring.
  private static let keyringName = "bucket"

  private static let mostBytes = 1 << 16

  /// Why there is no key: a sentence for the operator, without anything of the key.
  public struct Fault: Error, Sendable, Equatable {
    public let sentence: String
  }

  private struct Content: Decodable {
    var accessKey: String
    var secretKey: String
    var sessionToken: String?
  }

  /// - Parameter path: of a file such as `{"accessKey": "…", "secretKey": "…"}`. Blocks.
  public static func read(file path: String) throws(Fault) -> BucketCredentials {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw Fault(sentence: "“\(path)” cannot be opened: \(String(cString: strerror(errno))).") }
    let file = FileDescriptor(owning: number)
    guard let status = try? FileStatus(descriptor: file.number, path: path), status.isRegularFile else {
      throw Fault(sentence: "“\(path)” is no file.")
    }
    guard status.owner == geteuid(), !status.isShared else {
      throw Fault(sentence: "“\(path)” can be used by others. Make it yours alone: chmod 600 \(ShellWord(path))")
    }
    guard status.bytes <= mostBytes, let bytes = try? FileSystem.read(path),
      let credentials = credentials(in: bytes)
    else {
      throw Fault(sentence: "“\(path)” is no key: it must be JSON with accessKey, secretKey and perhaps sessionToken.")
    }
    return credentials
  }

  private static func credentials(in json: [UInt8]) -> BucketCredentials? {
    guard let value = try? JSONValue(parsing: json),
      let content = try? JSONValueDecoder(unknownMembers: .reject).decode(Content.self, from: value)
    else { return nil }
    return BucketCredentials(
      accessKey: content.accessKey, secretKey: content.secretKey, sessionToken: content.sessionToken)
  }

  /// The key of the environment, or else of the keyring, where it stands as in a file. Blocks.
  /// - Parameter value: the value of a variable; nil when it is not set.
  public static func read(environment value: (_ name: String) -> String?) throws(Fault) -> BucketCredentials {
    func text(_ name: String) -> String? { value(name).flatMap { $0.isEmpty ? nil : $0 } }
    guard let key = text(variables.key), let secret = text(variables.secret) else {
      if let stored = SecretService(environment: CredentialEnvironment(value)).text(of: keyringName) {
        if let credentials = credentials(in: Array(stored.utf8)) { return credentials }
        throw Fault(sentence: "What the keyring holds for the bucket is no key: it must be JSON, as in a file of the key.")
      }
      throw Fault(
        sentence: "There is no key for the bucket: name a file with artifacts.accessKeyFile, or set \(variables.key) and "
          + "\(variables.secret).")
    }
    guard let credentials = BucketCredentials(accessKey: key, secretKey: secret, sessionToken: text(variables.token)) else {
      throw Fault(sentence: "The variables \(variables.key) and \(variables.secret) hold no key.")
    }
    return credentials
  }
}
