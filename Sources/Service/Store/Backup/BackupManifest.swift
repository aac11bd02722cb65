import AtelierProtocol
import JSON

/// What a backup consists of, in `backup.json` of its folder. Replacing this file completes a backup: until then the
/// earlier one is whole.
struct BackupManifest: Codable, Sendable, Equatable {
  /// A file of the data directory, kept in the backup under its digest.
  struct File: Codable, Sendable, Equatable {
    /// Relative to the data directory.
    var path: String
    var sha256: String
    var bytes: Int
  }

  /// The last movement of credits: a later state of the same ledger contains it.
  struct LastTransfer: Codable, Sendable, Equatable {
    var seq: Int64
    var hash: String
  }

  static let currentFormat = 1

  var format = currentFormat
  /// The data directory that it is a backup of.
  var dataDirectory: String
  var madeAt: Timestamp
  var schemaVersion: Int
  /// Empty in a backup that was never completed.
  var files: [File] = []
  /// How many pictures there are, with those that are lost.
  var pictures = 0
  /// The names of pictures that could not be copied.
  var lost: [String] = []
  /// How many generations there are.
  var generations = 0
  var lastTransfer: LastTransfer?

  static let database = "atelier.sqlite"
  static let credentials = "credentials.json"
  static let templates = "templates/"

  func file(_ path: String) -> File? { files.first { $0.path == path } }
  var isComplete: Bool { file(Self.database) != nil }

  /// Whether all names in it are ones that a backup may have: it says where files are written.
  var isSafe: Bool {
    lost.allSatisfy(DataDirectory.isArtifactName)
      && files.allSatisfy { file in
        BackupFolder.isDigest(file.sha256) && file.bytes >= 0
          && (file.path == Self.database || file.path == Self.credentials || Self.isTemplate(file.path))
      }
  }

  private static func isTemplate(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return path.hasPrefix(templates) && !path.utf8.contains(0)
      && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
  }

  var serialized: [UInt8] {
    get throws { try JSONValueEncoder().encode(self).serialized() + [UInt8(ascii: "\n")] }
  }

  /// - Returns: nil when this is no manifest of a backup.
  init?(parsing bytes: [UInt8]) {
    guard let value = try? JSONValue(parsing: bytes),
      let manifest = try? JSONValueDecoder(unknownMembers: .ignore).decode(BackupManifest.self, from: value)
    else { return nil }
    self = manifest
  }

  init(dataDirectory: String, madeAt: Timestamp, schemaVersion: Int) {
    self.dataDirectory = dataDirectory
    self.madeAt = madeAt
    self.schemaVersion = schemaVersion
  }
}
