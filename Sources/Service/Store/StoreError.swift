import AtelierProtocol
import Localization

/// Why the store could not be opened. Nothing was changed or deleted because of it.
public struct StoreError: Error, Sendable, Equatable {
  public enum Kind: String, Sendable, CaseIterable {
    /// The data directory cannot be created, read, written or trusted.
    case directoryUnusable
    /// The data directory is on a network file system, where SQLite's locks do not hold.
    case networkFileSystem
    /// The database was written by a newer version of this program.
    case newerDatabase
    /// The file is not a database, or belongs to another program.
    case foreignDatabase
    /// The tables on a server are missing or older, and this role may not make them.
    case unpreparedDatabase
    /// The database is damaged.
    case damagedDatabase
    /// SQLite's log beside the database belongs to another database, which was replaced.
    case strayLog
    /// A file or folder that this process has open was moved, deleted or replaced.
    case moved
    /// No space, or the quota is used up.
    case storageFull
    /// This process, or the system, can open no more files.
    case tooManyOpenFiles
    /// Another process kept the database locked for too long.
    case busy
    /// The bucket of the pictures cannot be reached, or refuses.
    case bucketUnusable
    /// The object storage has no room for more pictures.
    case bucketFull
    /// Something else: the sentence says what.
    case failed
  }

  public var kind: Kind
  /// The problem and its remedy, with paths: for the operator, on stderr (exit code 3).
  public var sentence: String
  /// Whether it does not pass by itself: what is given to the store can never be kept as things are. What was paid for
  /// waits for a fault that passes, and is handed to its host where it does not.
  public var isPermanent: Bool
  /// The same for every host: without addresses and paths. Nil where the hint of the kind says enough.
  public var hint: String?

  /// - Parameter isPermanent: nil for what is usual for the kind.
  public init(_ kind: Kind, _ sentence: String, hint: String? = nil, isPermanent: Bool? = nil) {
    self.kind = kind
    self.sentence = sentence
    self.hint = hint
    self.isPermanent = isPermanent ?? kind.isPermanent
  }

  /// The error for a caller on the wire, without any local paths. One of a fault that does not pass is not retryable.
  public var atelierError: AtelierError {
    var error = wireError
    if isPermanent { error.retryable = false }
    return error
  }

  private var wireError: AtelierError {
    switch kind {
    case .storageFull: AtelierError(.storageFull, hint: hint)
    case .tooManyOpenFiles: .tooManyOpenFiles
    case .busy: .storeBusy
    case .moved: .storeMoved
    case .directoryUnusable, .failed: AtelierError(.storageUnavailable, hint: hint)
    case .bucketUnusable: AtelierError(.storageUnavailable, hint: sentence)
    case .bucketFull: AtelierError(.storageFull, hint: sentence)
    case .damagedDatabase: .storeDamaged
    case .newerDatabase: .storeNewer
    case .networkFileSystem, .foreignDatabase, .unpreparedDatabase, .strayLog: .storeUnusable(hint)
    }
  }
}

extension StoreError {
  /// What it is about, to be said of when it is over.
  var subject: String {
    switch kind {
    case .bucketUnusable, .bucketFull: "The bucket"
    default: hint == nil ? "The data directory" : "The database"
    }
  }
}

extension StoreError.Kind {
  fileprivate var isPermanent: Bool {
    switch self {
    case .networkFileSystem, .newerDatabase, .foreignDatabase, .unpreparedDatabase, .damagedDatabase, .strayLog: true
    case .directoryUnusable, .moved, .storageFull, .tooManyOpenFiles, .busy, .bucketUnusable, .bucketFull, .failed: false
    }
  }
}

extension AtelierError {
  static var storageFull: AtelierError { AtelierError(.storageFull) }

  static var storeBusy: AtelierError {
    AtelierError(.overloaded, hint: "The history is busy with other processes.", retryAfterMs: 1000)
  }

  static var storeMoved: AtelierError {
    AtelierError(
      .storageUnavailable,
      hint: "Atelier's data was moved, deleted or replaced while it runs, so nothing can be recorded: put it back, or start "
        + "Atelier again.")
  }

  /// What is said where waiting does not help.
  private static let unusable: Sentence = "Atelier cannot use what it has stored. Please tell whoever runs it."

  static var storeNewer: AtelierError {
    AtelierError(
      .internal, unusable,
      hint: "The data directory was written by a newer version of Atelier: install that version, or restore a backup that "
        + "was made before the upgrade.")
  }

  static func storeUnusable(_ hint: String? = nil) -> AtelierError {
    let ofDirectory: String = "The data directory cannot be used: run `atelier doctor` to see why and what to do."
    return AtelierError(.internal, unusable, hint: hint ?? ofDirectory)
  }

  static var storeDamaged: AtelierError {
    AtelierError(
      .internal, unusable,
      hint: "The history database is damaged: run `atelier doctor` to see what to do.")
  }

  static var ledgerDamaged: AtelierError {
    AtelierError(
      .internal, unusable,
      hint: "The ledger of credits is damaged: run `atelier doctor` to see what to do.")
  }

  static var storeClosed: AtelierError {
    AtelierError(
      .internal, ErrorKind.storageUnavailable.sentence, hint: "The service is ending and its history is closed.")
  }

  static var fileDeleted: AtelierError { AtelierError(.notFound, "This has been deleted from history.") }

  static var fileMissing: AtelierError {
    AtelierError(
      .notFound, "This is in history, but its picture is gone. Please make it again.",
      hint: "Something else has removed the file, such as a rule of the bucket that lets objects expire: put it back from a "
        + "backup, and run `atelier doctor` to see what else is gone.")
  }

  static func fileArchived(_ hint: String) -> AtelierError {
    AtelierError(.storageUnavailable, "This picture is in an archive and cannot be read now.", hint: hint)
  }

  static var fileAltered: AtelierError {
    AtelierError(
      .internal, "A stored image is damaged. Please make it again.", hint: "Run `atelier doctor` to see what else is.")
  }
}
