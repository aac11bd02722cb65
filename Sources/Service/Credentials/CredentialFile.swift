import AtelierProtocol
import Encodings
import Glibc
import JSON
import POSIX

/// The file of keys in the data directory, readable only by its owner. Every call blocks.
///
/// The process that holds the lock file next to it replaces it atomically. The lock file's modification time increases
/// with every change of a key, in the file or in the keyring, so that other processes notice.
struct CredentialFile: Sendable {
  /// The data directory; it need not exist.
  let directory: String

  /// The maximum number of bytes read; a larger file is not one of ours.
  private static let maximumBytes = 1 << 20

  var path: String { "\(directory)/credentials.json" }
  private var temporary: String { "\(path).new" }
  var lockPath: String { "\(directory)/credentials.lock" }

  /// The metadata of both files: as long as it is the same, no process has changed a key.
  func stamp() -> CredentialStamp {
    // A file whose metadata cannot be read counts as missing: reading the file reports the reason.
    CredentialStamp(file: try? FileStatus(path: path), lock: try? FileStatus(path: lockPath))
  }

  /// The keys; empty when the file does not exist.
  func read() throws(CredentialFailure) -> StoredKeys {
    let number = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: return StoredKeys()
      case ELOOP: throw .file("\(path) is a symbolic link. Replace it by the file it leads to.")
      default: throw .system("open", path)
      }
    }
    let file = FileDescriptor(owning: number)
    try check(try? FileStatus(descriptor: number, path: path))
    let bytes = contents(of: file)
    do throws(SavedText.OtherEncoding) {
      _ = try bytes.map(SavedText.withoutMark)
    } catch {
      throw .file("\(path) \(error.problem)")
    }
    guard let bytes, let keys = StoredKeys(parsing: bytes) else {
      throw .file(
        "\(path) is damaged. Mend it, or move it away with “mv \(ShellWord(path)) \(ShellWord("\(path).damaged"))” "
          + "and set the keys again.")
    }
    return keys
  }

  /// Replaces the file; the data directory must exist and the lock must be held.
  func write(_ keys: StoredKeys) throws(CredentialFailure) {
    do throws(FileFailure) {
      // A file that a killed process left behind is replaced: the lock shows that nobody is writing it.
      try FileSystem.replace(path, with: keys.serialized, temporary: temporary, permissions: 0o600)
      try FileSystem.syncDirectory(directory)
    } catch {
      throw .system(error)
    }
  }

  private func check(_ status: FileStatus?) throws(CredentialFailure) {
    guard let status else { throw .system("look at", path) }
    guard status.isRegularFile else { throw .file("\(path) is not a regular file. Move it away and set the keys again.") }
    guard status.owner == geteuid() else {
      throw .file(
        "\(path) belongs to another user (uid \(status.owner)), so its keys are not used. "
          + "Take it over with chown, or move it away and set the keys again.")
    }
    guard status.permissions & 0o077 == 0 else {
      throw .file(
        "\(path) is open to other users, so its keys are not used. Close it with “chmod 600 \(ShellWord(path))”; "
          + "if others may have read it, replace the keys as well.")
    }
  }

  private func contents(of file: borrowing FileDescriptor) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while bytes.count <= Self.maximumBytes {
      let count = Glibc.read(file.number, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
    return nil
  }
}

/// The content of the file of keys: `{"version": 1, "keys": {"gemini": {"key": "…"}}}`.
///
/// Entries of providers unknown to this version are preserved.
struct StoredKeys: Sendable, Equatable {
  /// One provider's key.
  struct Entry: Sendable, Equatable {
    var key: APIKey
    /// True when the keyring was available but did not accept the key, and may hold an older one.
    var isNewerThanSecretService = false
  }

  private static let version: JSONValue = 1
  private var keys: JSONObject = [:]

  init() {}

  /// - Returns: nil when this is not what Atelier writes; a key that is none in an entry counts as well.
  init?(parsing bytes: [UInt8]) {
    guard let text = try? SavedText.withoutMark(bytes), let object = try? JSONValue(parsing: text).object,
      object["version"] == Self.version, let keys = object["keys"]?.object
    else { return nil }
    self.keys = keys
    for provider in KeyedProvider.all where keys[provider.id.rawValue] != nil {
      guard self[provider.id] != nil else { return nil }
    }
  }

  subscript(provider: ProviderID) -> Entry? {
    get {
      guard let members = keys[provider.rawValue]?.object, let text = members["key"]?.string, let key = APIKey(text)
      else { return nil }
      return Entry(key: key, isNewerThanSecretService: members["newerThanSecretService"] == true)
    }
    set {
      keys[provider.rawValue] = newValue.map { entry in
        var members: JSONObject = ["key": .string(entry.key.text)]
        if entry.isNewerThanSecretService { members["newerThanSecretService"] = true }
        return .object(members)
      }
    }
  }

  var serialized: [UInt8] {
    JSONValue.object(["version": Self.version, "keys": .object(keys)]).serialized() + [UInt8(ascii: "\n")]
  }
}

extension StoredKeys: CustomStringConvertible, CustomReflectable {
  var description: String { "\(keys.keys)" }
  var customMirror: Mirror { Mirror(self, children: []) }
}

/// The metadata of the file of keys and its lock file.
struct CredentialStamp: Sendable, Equatable {
  var file: FileStatus?
  var lock: FileStatus?
}
