import Glibc
import Imaging
import POSIX

/// A folder of photos, which a command makes pictures of.
struct PhotoFolder: Sendable {
  /// A photo that was found.
  struct Photo: Sendable {
    var path: String
    /// The folder that it is in, below the one that was named; nil for that one itself.
    var subfolder: String?
    /// Changes as long as the file is being written.
    var status: FileStatus
  }

  /// What is in it, in the order of the names.
  struct Contents: Sendable {
    var photos: [Photo] = []
    /// The paths of the files that are no pictures.
    var others: [String] = []
    /// The paths of the folders that are left out because only `--recursive` goes through them.
    var subfolders: [String] = []
    /// How many files have names that are not UTF-8 text.
    var unreadableNames = 0
  }

  let path: String
  let isRecursive: Bool
  /// The folder for the pictures, which is not gone through.
  let excluded: FileIdentity?

  /// Whether this is the folder for the pictures itself.
  var isExcluded: Bool { excluded != nil && (try? FileStatus(path: path, followingLinks: true))?.identity == excluded }

  /// - Throws: `FileFailure` when the folder that was named cannot be listed.
  func contents() throws(FileFailure) -> Contents {
    var contents = Contents()
    try add(folder: nil, to: &contents)
    return contents
  }

  private func add(folder subfolder: String?, to contents: inout Contents) throws(FileFailure) {
    let folder = subfolder.map { "\(path)/\($0)" } ?? path
    for name in try FileSystem.names(in: folder) where !name.hasPrefix(".") {
      let file = "\(folder)/\(name)"
      guard let status = try? FileStatus(path: file, followingLinks: true) else {
        // A name that is not UTF-8 text was read with replacements, under which nothing is there.
        if name.unicodeScalars.contains("\u{FFFD}") { contents.unreadableNames += 1 }
        continue
      }
      if status.isDirectory {
        // Links are not followed: they could lead in a circle.
        guard status.identity != excluded, (try? FileStatus(path: file))?.isDirectory == true else { continue }
        guard isRecursive else {
          contents.subfolders.append(file)
          continue
        }
        // What cannot be listed below the folder that was named holds the rest up no more than a photo that fails.
        try? add(folder: subfolder.map { "\($0)/\(name)" } ?? name, to: &contents)
      } else if status.isRegularFile {
        if Self.isPhoto(file, status) {
          contents.photos.append(Photo(path: file, subfolder: subfolder, status: status))
        } else {
          contents.others.append(file)
        }
      }
    }
  }

  /// Told by its extension, and where there is none by its first bytes.
  private static func isPhoto(_ path: String, _ status: FileStatus) -> Bool {
    if let isPhoto = OutputName(path).isPhoto { return isPhoto }
    if case .picture = RecognisedContent(of: head(of: path)) { return true }
    return false
  }

  private static func head(of path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }
}
