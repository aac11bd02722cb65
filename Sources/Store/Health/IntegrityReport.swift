/// What `doctor` learns of the data directory.
public struct IntegrityReport: Sendable, Equatable {
  /// One thing that is not as it should be.
  public struct Finding: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
      /// SQLite's own check found damage.
      case damagedDatabase
      /// A row refers to a row that is not there.
      case brokenReference
      /// The ledger of credits is not what was written, or contradicts itself.
      case brokenLedger
      /// A row names a file that is gone.
      case missingFile
      /// A file's bytes are not those its name promises.
      case alteredFile
      /// A file no row refers to. Harmless; recovery removes it.
      case unreferencedFile
      /// Somebody else may read or write it.
      case widePermissions
    }

    public var kind: Kind
    /// One sentence that names the thing and says what to do.
    public var sentence: String
  }

  public var findings: [Finding]
  /// How many artifacts were read and compared with their names.
  public var artifactsChecked: Int
  public var isSound: Bool { findings.allSatisfy { $0.kind == .unreferencedFile } }
}
