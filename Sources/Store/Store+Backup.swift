import AtelierProtocol

extension Store {
  /// Copies the database into a new file that only its owner may read, while every process goes on with its work. Put in
  /// the place of `atelier.sqlite` in a data directory, it is the history and the ledger as they were.
  ///
  /// The picture files are not in it: they lie in ``DataDirectory/artifacts`` and are copied as files, after the backup,
  /// so that what the backup knows is among them.
  /// - Returns: its size in bytes.
  /// - Throws: `file_access_denied` when the file is there or cannot be made, `storage_full`; nothing is left then.
  @discardableResult
  public func backup(to path: String) async throws(AtelierError) -> Int {
    let file = BackupFile(path: path, suffix: surroundings.makeIdentifier("partial_"))
    do {
      return try await look.run { try file.write(from: $0) }
    } catch {
      throw atelierError(error)
    }
  }
}
