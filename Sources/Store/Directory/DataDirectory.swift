import Glibc

/// Where everything durable lives: a directory only its owner may enter.
///
/// ```
/// atelier.sqlite (-wal, -shm)     history; atelier.sqlite.new while it is made, -journal while it gets its log
/// artifacts/ab/cd/<sha256>.<ext>  images, named by their content
/// temporary/<owner>/              images no row refers to yet
/// owners/<owner>.lock             held for as long as the process lives
/// migration.lock                  held while the database is made or changed
/// credentials.json, .lock         API keys, which are none of the store's business
/// templates/*.json                the operator's hairstyles and their pictures, only read
/// ```
public struct DataDirectory: Sendable, Hashable {
  /// Absolute.
  public let path: String

  /// - Parameter path: a relative one is taken from the working directory. Nothing is made before the store opens.
  public init(path: String) {
    var absolute = path
    if !path.hasPrefix("/"), let working = getcwd(nil, 0) {
      absolute = path.isEmpty ? String(cString: working) : "\(String(cString: working))/\(path)"
      free(working)
    }
    while absolute.count > 1 && absolute.hasSuffix("/") { absolute.removeLast() }
    self.path = absolute
  }

  /// The file of the database, there once the directory has been used.
  public var database: String { "\(path)/atelier.sqlite" }
  /// What becomes the database once it is whole.
  var databaseDraft: String { "\(database).new" }
  var migrationLock: String { "\(path)/migration.lock" }
  /// Where the pictures are.
  public var artifacts: String { "\(path)/artifacts" }
  var temporary: String { "\(path)/temporary" }
  var owners: String { "\(path)/owners" }

  /// Where the operator's templates are; it need not exist.
  public var templates: String { "\(path)/templates" }

  /// The parts that are directories.
  var parts: [String] { [artifacts, temporary, owners] }
  /// The parts that are files, whether they are there or not.
  var databaseFiles: [String] { [database] + logs }
  /// What SQLite puts beside the database: changes that are not in it yet, or that it takes back.
  var logs: [String] { ["-wal", "-shm", "-journal"].map { database + $0 } }

  /// What may lie here besides, and is looked after elsewhere.
  var otherFiles: [String] {
    ["\(path)/credentials.json", "\(path)/credentials.json.new", "\(path)/credentials.lock", templates]
  }

  func temporary(of owner: OwnerID) -> String { "\(temporary)/\(owner.rawValue)" }
  func lock(of owner: OwnerID) -> String { "\(owners)/\(owner.rawValue).lock" }
}
