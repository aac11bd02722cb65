/// Writes generations and their pictures into a folder of the host.
///
/// A repeated call continues the export: pictures that are already there are not written again, and a new file of
/// records replaces the old one when it is complete. Files that do not belong to an export are never overwritten.
public struct HistoryExport: RequestMessage {
  public static let method = "history/export"
  public static let errors: [ErrorKind] = [.permissionDenied, .fileAccessDenied, .storageFull]

  /// An existing folder.
  @LimitedText<PathLength> public var directory: String
  /// The account, or `*` for all accounts. Default: the connection's account, otherwise `owner`.
  @Limited<AccountOrEverybody> public var account: AccountID?
  /// The format of the file of records. Default: `jsonl`.
  public var format: Format?

  /// The format of the file of records.
  public enum Format: String, Codable, Sendable, CaseIterable {
    /// One generation per line, newest first, as an entry of `history`.
    case jsonl
    /// Only places: a `FeatureCollection` (RFC 7946) with a feature for each, newest first. No pictures are exported.
    case geojson
    /// Only places: a row for each, newest first, under a row of names (RFC 4180). No pictures are exported.
    case csv
  }

  public init(directory: String, account: AccountID? = nil, format: Format? = nil) {
    self.directory = directory
    self.account = account
    self.format = format
  }

  /// What was written.
  public struct Result: Codable, Sendable, Equatable {
    /// The path of the file of records.
    public var path: String
    /// The number of generations in the file, or of places with `geojson` and `csv`.
    public var entries: Int
    /// The number of exported pictures and thumbnails.
    public var files: Int
    /// The path of a file with what is kept of the account itself: how its person signs in, and the versions of the terms of
    /// use that were accepted. Absent for `owner`, for all accounts together, and with `geojson` and `csv`.
    @HostPath public var accountPath: String?

    public init(path: String, entries: Int, files: Int, accountPath: String? = nil) {
      self.path = path
      self.entries = entries
      self.files = files
      self.accountPath = accountPath
    }
  }
}
