import AtelierProtocol
import JSON
import Store

extension Engine {
  /// Writes history and its pictures, or the places in it, into a folder, holding one page in memory at a time.
  /// - Throws: `file_access_denied`, `storage_full`, `permission_denied`; `CancellationError` when the task is
  ///   cancelled. Even then the records, and each picture, are either complete or absent.
  public func exportHistory(_ request: HistoryExport, for caller: Caller) async throws -> HistoryExport.Result {
    let account = try caller.accountOrEverybody(naming: request.account)
    let places = request.format?.ofPlaces
    let folder = ExportFolder(
      path: request.directory, account: account, within: caller.isConfined ? configuration.access.write : nil,
      contents: places.map { .places(fileExtension: $0.fileExtension, beginning: $0.beginning) } ?? .generations)
    let store = try await lazyStore.store()
    let records = try await folder.begin()
    do {
      let export = HistoryExporting(folder: folder, store: store)
      let (entries, files) =
        if let places { (try await export.writePlaces(of: account, as: places, to: records), 0) } else {
          try await export.write(HistoryFilter(account: account), to: records)
        }
      try await folder.finish(records)
      return HistoryExport.Result(
        path: folder.recordsPath, entries: entries, files: files,
        accountPath: places == nil ? try await exportAccount(account, to: request.directory, for: caller) : nil)
    } catch {
      await records.remove()
      throw error
    }
  }

  /// Writes what is kept of an account itself.
  /// - Returns: the path of the file; nil where nothing is kept.
  private func exportAccount(
    _ account: AccountID?, to directory: String, for caller: Caller
  ) async throws -> String? {
    let store = try await lazyStore.store()
    guard let account, account != .owner, try await store.hasAnything(of: account) else { return nil }
    let record = try await store.account(account, registers: false)
    let export = ExportedAccount(
      account: account, createdAt: record.created, signedInWith: record.signedInWith,
      consents: try await store.consents(of: account))
    let folder = ExportFolder(
      path: directory, account: account, within: caller.isConfined ? configuration.access.write : nil, contents: .account)
    let records = try await folder.begin()
    do {
      try await records.append(JSONValueEncoder().encode(export).serialized() + [UInt8(ascii: "\n")])
      try await folder.finish(records)
    } catch {
      await records.remove()
      throw error
    }
    return folder.recordsPath
  }
}

/// What is kept of an account besides its history and its credits.
private struct ExportedAccount: Encodable {
  var account: AccountID
  var createdAt: Timestamp
  var signedInWith: [String]
  var consents: [Consent]
}

/// The iteration over history for one export.
private struct HistoryExporting {
  private static let rowsTogether = 50

  let folder: ExportFolder
  let store: Store

  func write(_ filter: HistoryFilter, to records: ExportRecords) async throws -> (entries: Int, files: Int) {
    var (entries, files) = (0, 0)
    var cursor: HistoryCursor?
    while true {
      let rows = try await store.entries(filter, limit: Self.rowsTogether, after: cursor)
      var lines: [UInt8] = []
      for row in rows {
        try Task.checkCancellation()
        lines += try await line(of: row, counting: &files)
      }
      try await records.append(lines)
      entries += rows.count
      guard let last = rows.last else { return (entries, files) }
      cursor = HistoryCursor(after: last)
    }
  }

  func writePlaces(
    of account: AccountID?, as format: PlacesFormat, to records: ExportRecords
  ) async throws -> Int {
    try await records.append(Array(format.beginning.utf8))
    var entries = 0
    var cursor: HistoryCursor?
    while true {
      let rows = try await store.entries(
        HistoryFilter(account: account, recipe: .places), limit: Self.rowsTogether, after: cursor)
      var text = ""
      for row in rows {
        try Task.checkCancellation()
        for place in row.places ?? [] {
          text += try format.record(place, of: row.id, isFirst: entries == 0)
          entries += 1
        }
      }
      try await records.append(Array(text.utf8))
      guard let last = rows.last else { break }
      cursor = HistoryCursor(after: last)
    }
    try await records.append(Array(format.end.utf8))
    return entries
  }

  private func line(of row: GenerationRow, counting files: inout Int) async throws -> [UInt8] {
    var entry = row.generation()
    for file in row.files {
      if let artifact = file.artifact { entry.name(file, at: try await copy(artifact, counting: &files)) }
    }
    return try JSONValueEncoder().encode(entry).serialized() + [UInt8(ascii: "\n")]
  }

  /// - Returns: the picture's path relative to the export folder; nil when it was deleted or altered meanwhile.
  private func copy(_ artifact: StoredArtifact, counting files: inout Int) async throws -> String? {
    if try await !folder.hasPicture(artifact.name, sha256: artifact.sha256) {
      do {
        try await folder.placePicture(try await store.read(artifact), as: artifact.name)
      } catch let error as AtelierError where error.kind == .notFound || error.kind == .internal {
        return nil
      }
    }
    files += 1
    return "\(ExportFolder.pictures)/\(artifact.name)"
  }
}

extension Generation {
  /// - Parameter path: where the file is in the export; nil when it is not.
  fileprivate mutating func name(_ file: GenerationFile, at path: String?) {
    let position = images.firstIndex { $0.index == file.index } ?? images.endIndex
    switch file.role {
    case .thumbnail: thumbnail = path
    case _ where position == images.endIndex: break
    case .image: (images[position].path, images[position].storedPath) = (path, nil)
    case .matte:
      images[position].matte?.path = path
      images[position].matte?.storedPath = nil
    }
  }
}
