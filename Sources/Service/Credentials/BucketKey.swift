import AtelierProtocol
import Encodings
import Glibc
import JSON
import ObjectStorage
import POSIX

/// The key of a bucket: a file that only its owner can read, the environment, or the desktop's keyring.
public enum BucketKey {
  /// The variables that other programs for such storages read as well.
  public static let variables = (
    key: "AWS_ACCESS_KEY_ID", secret: "AWS_SECRET_ACCESS_KEY", token: "AWS_SESSION_TOKEN",
    end: "AWS_CREDENTIAL_EXPIRATION"
  )

  /// Where a provider is named in the keyring.
  private static let keyringName = "bucket"

  private static let mostBytes = 1 << 16

  public typealias Fault = BucketKeyFault

  /// What a file or the keyring holds.
  private struct Content: Decodable {
    var accessKey: String
    var secretKey: String
    var sessionToken: String?
    /// When it ends.
    var expiration: Timestamp?
  }

  /// The same as Amazon's tools write it for temporary keys.
  private struct ProcessOutput: Decodable {
    var content: Content

    private enum CodingKeys: String, CodingKey {
      case accessKey = "AccessKeyId"
      case secretKey = "SecretAccessKey"
      case sessionToken = "SessionToken"
      case expiration = "Expiration"
      case version = "Version"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      content = Content(
        accessKey: try container.decode(String.self, forKey: .accessKey),
        secretKey: try container.decode(String.self, forKey: .secretKey),
        sessionToken: try container.decodeIfPresent(String.self, forKey: .sessionToken),
        expiration: try container.decodeIfPresent(Timestamp.self, forKey: .expiration))
      _ = try container.decodeIfPresent(Int.self, forKey: .version)
    }
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
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = status.bytes <= mostBytes ? try FileSystem.readText(try FileSystem.resolved(path)) : []
    } catch {
      throw Fault(sentence: "“\(path)” cannot be read: \(error.reason).")
    }
    guard let credentials = credentials(in: bytes) else {
      throw Fault(
        sentence: "“\(path)” is no key: it must be JSON with accessKey, secretKey and perhaps sessionToken and expiration.")
    }
    return credentials
  }

  private static func credentials(in json: [UInt8]) -> BucketCredentials? {
    guard let text = try? SavedText.withoutMark(json), let value = try? JSONValue(parsing: text) else { return nil }
    let decoder = JSONValueDecoder(unknownMembers: .reject)
    let content = (try? decoder.decode(Content.self, from: value))
      ?? (try? decoder.decode(ProcessOutput.self, from: value))?.content
    guard let content else { return nil }
    return BucketCredentials(
      accessKey: content.accessKey, secretKey: content.secretKey, sessionToken: content.sessionToken,
      endsAt: content.expiration.map(seconds))
  }

  private static func seconds(_ time: Timestamp) -> Int { Int(time.milliseconds / 1000) }

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
    let end = text(variables.end).flatMap { Timestamp($0) }
    guard
      let credentials = BucketCredentials(
        accessKey: key, secretKey: secret, sessionToken: text(variables.token), endsAt: end.map(seconds))
    else {
      throw Fault(sentence: "The variables \(variables.key) and \(variables.secret) hold no key.")
    }
    return credentials
  }
}
