import AtelierProtocol
import Glibc
import Imaging
import POSIX
import Store

/// The sheet of a picture.
extension PictureDestination {
  /// Whether a sheet takes the place of the picture, which then stays in history: one file is named.
  var takesSheetAlone: Bool {
    switch self {
    case .file, .standardOutput: true
    case .history, .beside, .folder: false
    }
  }

  /// Writes a sheet into the file that is named, or beside its picture, under the picture's name with `-sheet`.
  /// - Parameter path: that of the picture, as it was written; nil if it was not.
  /// - Returns: the path to tell, if there is one.
  func write(_ sheet: EncodedSheet, beside path: String?, for job: PictureJob) async throws -> String? {
    let temporary = ".atelier-\(getpid())-\(job.position)-sheet.partial"
    switch self {
    case .history: return nil
    case .standardOutput:
      try await LazyThreadPool.hostFiles.run { try Self.writeToStandardOutput(sheet.bytes) }
      return nil
    case .file(let file):
      try await LazyThreadPool.hostFiles.run { try file.replace(with: sheet.bytes, temporary: temporary) }
      return file.path
    case .beside, .folder:
      let name = OutputName(path ?? stem(of: job, view: nil, generation: nil))
      return try await OutputDirectory(path: name.folder).place(
        sheet.bytes, stem: "\(name.stem)-sheet", fileExtension: sheet.format.fileExtension, temporary: temporary,
        permissions: nil, keepsEqual: true
      ).withoutCurrentFolder(unlessIn: job.photoPath)
    }
  }
}
