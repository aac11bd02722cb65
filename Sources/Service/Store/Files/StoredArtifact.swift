import Crypto
import Encodings

/// A file that rows refer to, named by its content.
public struct StoredArtifact: Sendable, Hashable {
  /// The SHA-256 of the bytes, 64 lowercase hexadecimal digits.
  public var sha256: String
  public var mimeType: String
  public var bytes: Int
  /// The absolute path of the file; nil while this machine does not have it.
  public var path: String?
}

extension StoredArtifact {
  /// The name used in rows: the digest and the extension.
  public var name: String { Self.name(sha256: sha256, mimeType: mimeType) }

  /// - Parameter name: the ``name`` from a row.
  init(name: String, mimeType: String, bytes: Int, in files: LocalFiles) {
    self.init(
      sha256: String(name.prefix(64)), mimeType: mimeType, bytes: bytes, path: files.path(of: name, bytes: bytes))
  }

  static func name(sha256: String, mimeType: String) -> String { "\(sha256).\(fileExtension(mimeType))" }

  /// The SHA-256 of `bytes` in lowercase hexadecimal.
  public static func digest(_ bytes: [UInt8]) -> String {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    return Hexadecimal.text(hash.finalize())
  }

  /// The extension of the file, such as `jpg`.
  public var fileExtension: String { Self.fileExtension(mimeType) }

  private static let extensions = [
    "image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/heic": "heic", "image/heif": "heif",
    "image/avif": "avif",
  ]

  private static func fileExtension(_ mimeType: String) -> String { extensions[mimeType] ?? "bin" }

  /// The type that belongs to the extension of a name.
  static func mimeType(ofName name: String) -> String {
    let fileExtension = name.split(separator: ".").last.map(String.init)
    return extensions.first { $0.value == fileExtension }?.key ?? "application/octet-stream"
  }
}

extension DataDirectory {
  /// `artifacts/ab/cd/<name>`: two levels keep every folder small.
  func path(ofArtifact name: String) -> String { "\(folder(ofArtifact: name))/\(name)" }

  func folder(ofArtifact name: String) -> String {
    "\(firstFolder(ofArtifact: name))/\(name.dropFirst(2).prefix(2))"
  }

  func firstFolder(ofArtifact name: String) -> String { "\(artifacts)/\(name.prefix(2))" }

  /// True for names that this program makes: 64 hexadecimal digits, a period, an extension.
  static func isArtifactName(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 64, !parts[1].isEmpty else { return false }
    return parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
      && parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }
}

/// A file that is durable but that no row refers to yet. ``Store/finish(_:)`` or ``Store/keepPrepared(_:)``
/// keeps it; ``Store/discard(_:)`` removes it, as does a process that finds its maker dead. As long as it is there, nobody
/// removes an artifact with its content.
public struct StagedArtifact: Sendable, Hashable {
  /// The file as rows will refer to it; `artifact.path` is its final path on this machine, if it has one.
  public internal(set) var artifact: StoredArtifact
  /// The current path of the bytes.
  public let temporaryPath: String
  /// Tells the pending notes of a process apart.
  let number: UInt64
}
