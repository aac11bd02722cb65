/// `history/export`: writes history and its pictures into a folder of the host's (REQUIREMENTS 7.1).
///
/// Called again it goes on: pictures that are there are not written again, and the file of records takes the place of
/// the one before when it is whole. Nothing that is not of an export is overwritten.
public struct HistoryExport: RequestMessage {
  public static let method = "history/export"

  /// The folder, which must be there.
  @LimitedText<PathLength> public var directory: String
  /// Whose. `*` is everybody's, for a connection that is not confined to one. Default: the account of `initialize`,
  /// else `owner`.
  @Limited<AccountOrEverybody> public var account: AccountID?
  /// How. Default and only one: `jsonl`.
  public var format: Format?

  public enum Format: String, Codable, Sendable, CaseIterable {
    /// A record a line, newest first, each the JSON of an entry of `history`.
    case jsonl
  }

  public init(directory: String, account: AccountID? = nil, format: Format? = nil) {
    self.directory = directory
    self.account = account
    self.format = format
  }

  public struct Result: Codable, Sendable, Equatable {
    /// The file of records.
    public var path: String
    /// How many records it has.
    public var entries: Int
    /// How many pictures and thumbnails lie beside it.
    public var files: Int

    public init(path: String, entries: Int, files: Int) {
      self.path = path
      self.entries = entries
      self.files = files
    }
  }
}

extension HistoryExport: SchemaDescribed {
  public static let summary =
    "Writes history and its pictures into a folder of the host's. Called again it goes on: pictures that are there are "
    + "not written again, and the file of records takes the place of the one before when it is whole. Nothing that is "
    + "not of an export is overwritten."

  public static let members = [
    "directory": "The folder, which must be there.",
    "account":
      "Whose. `*` is everybody's, for a connection that is not confined to one. Default: the account of "
      + "`initialize`, else `owner`.",
    "format": "How. Default and only one: `jsonl`, a record a line, newest first.",
  ]
}

extension HistoryExport.Result: SchemaDescribed {
  public static let summary = "What was written."

  public static let members = [
    "path": "The file of records.",
    "entries": "How many records it has.",
    "files": "How many pictures and thumbnails lie beside it.",
  ]
}
