import Foundation
import Glibc

@testable import Store

/// The permission bits of `path`, without following a link.
func permissions(of path: String) -> mode_t? {
  var status = stat()
  return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
}

func contents(of path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

extension GenerationFile {
  static func thumbnail(_ staged: StagedArtifact) -> GenerationFile {
    GenerationFile(.thumbnail, source: .staged(staged), width: 1, height: 1)
  }
}

extension Store {
  /// The files of a store that keeps them in its data directory.
  /// - Precondition: it does.
  var folder: ArtifactFolder {
    guard let files = files as? FolderFiles else { preconditionFailure("the files are not in a folder") }
    return files.folder
  }
}

extension StoredArtifact {
  /// Its path, which leads nowhere where this machine does not have it.
  var file: String { path ?? "" }
}
