import AtelierProtocol
import Glibc
import JSON
import Localization
import POSIX

/// Why a photo's file is not read, as a sentence that says what to do. The path is the host's own.
struct PhotoFileRefusal {
  var path: String

  /// Longer than any path: more is content that was taken for one.
  private static let longestPath = 4096

  private var details: JSONObject {
    ForeignPath(path) == .data || path.utf8.count > Self.longestPath ? [:] : [AtelierError.path: .string(path)]
  }

  /// Without a sentence, it has that of its kind.
  private func refusal(
    _ kind: ErrorKind, _ sentence: Sentence? = nil, hint: String? = nil, _ more: JSONObject = [:]
  ) -> ImagingError {
    var details = details
    for (name, value) in more { details[name] = value }
    return ImagingError(kind, sentence, hint: hint, details: details)
  }

  func missing() -> ImagingError {
    if let sentence = ForeignPath(path)?.sentence(path) { return refusal(.invalidImage, sentence) }
    return refusal(
      .invalidImage, "There is no file at “\(path)”. Check the path, or choose another photo.",
      hint: "Relative paths begin at the folder Atelier was started in.")
  }

  /// Several files may be meant, and only their names' bytes differ.
  func several(_ paths: [String]) -> ImagingError {
    refusal(
      .invalidImage,
      "There is no file at “\(path)”, but \(paths.count) files whose names look the same and differ in spaces or accents: "
        + "rename the one that is meant.", ["candidates": .array(paths.map(JSONValue.string))])
  }

  /// Says the same of a file that is not there, of one that is elsewhere and of one that cannot be read: whoever sees the
  /// difference learns what is outside the folders.
  func outside(of folders: AllowedFolders) -> ImagingError {
    guard !folders.paths.isEmpty else {
      return refusal(
        .fileAccessDenied, "Atelier may not read files here.",
        hint: "Send the photo as data, or open a folder to the connection with access.read.")
    }
    guard path.utf8.count <= Self.longestPath || ForeignPath(path) == .data else { return tooLong(.fileAccessDenied) }
    if let sentence = ForeignPath(path)?.sentence(path) { return refusal(.fileAccessDenied, sentence) }
    return refusal(
      .fileAccessDenied, "There is no file at “\(path)” that may be read here. Choose a photo in another folder.",
      hint: "The connection may read files in the folders that are opened with access.read.")
  }

  private func tooLong(_ kind: ErrorKind) -> ImagingError {
    refusal(kind, "The path of the photo is too long. Check it, or move the photo.")
  }

  func empty() -> ImagingError {
    refusal(.invalidImage, "“\(path)” is empty. If it is still being copied or downloaded, wait and try again.")
  }

  func tooLarge(bytes: Int, maximumBytes: Int) -> ImagingError {
    .tooLarge("“\(path)”", bytes: bytes, maximumBytes: maximumBytes, details: details)
  }

  /// - Throws: a refusal unless it is a regular file that is not empty.
  func checkIsFile(_ status: stat) throws(ImagingError) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw refusal(.invalidImage, "“\(path)” is a folder, not a picture. Name a file in it.")
    case S_IFIFO: throw refusal(.invalidImage, "“\(path)” is a pipe, not a picture. Save the picture to a file first.")
    case S_IFSOCK: throw refusal(.invalidImage, "“\(path)” is a socket, not a picture. Name a picture's file.")
    default: throw refusal(.invalidImage, "“\(path)” is a device, not a picture. Name a picture's file.")
    }
  }

  /// The refusal for an `errno` of `stat`, `open` or `read` on the file.
  func unreachable(_ code: Int32) -> ImagingError {
    switch code {
    case EACCES, EPERM: denied()
    case ENOENT: missing()
    case ENOTDIR: refusal(.invalidImage, "There is no file at “\(path)”: a part of the path is a file, not a folder.")
    case ELOOP: refusal(.invalidImage, "“\(path)” leads in a circle of links. Name the picture's file itself.")
    case ENAMETOOLONG where ForeignPath(path) == .data: missing()
    case ENAMETOOLONG: tooLong(.invalidImage)
    case EMFILE, ENFILE: refusal(.overloaded, hint: AtelierError.tooManyOpenFilesHint)
    case ENOMEM, EAGAIN:
      refusal(.internal, "The photo could not be opened. Please try again later.", hint: "The system is short of resources.")
    default:
      refusal(
        .invalidImage,
        "“\(path)” could not be read. If it is on a network or removable drive, check that it is connected.",
        ["errno": .number(JSONNumber(Int(code)))])
    }
  }

  /// Names the folder or file that lacks a permission, and the command that grants it.
  private func denied() -> ImagingError {
    for folder in folders where faccessat(AT_FDCWD, folder, X_OK, AT_EACCESS) != 0 && errno == EACCES {
      return refusal(
        .fileAccessDenied,
        "Atelier is not allowed to enter the folder “\(folder)”: the search permission (x) is missing.",
        hint: "The owner of the folder can give it with: chmod \(Self.whom(folder))+x \(ShellWord(folder))",
        ["missing": "search", "deniedPath": .string(folder)])
    }
    return refusal(
      .fileAccessDenied,
      "Atelier is not allowed to read “\(path)”: the read permission (r) is missing.",
      hint: "The owner of the file can give it with: chmod \(Self.whom(path))+r \(ShellWord(path))",
      ["missing": "read", "deniedPath": .string(path)])
  }

  /// The user class whose permissions apply to this process, in `chmod` notation: u, g or o.
  private static func whom(_ path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return "o" }
    if status.st_uid == geteuid() { return "u" }
    return status.st_gid == getegid() ? "g" : "o"
  }

  /// The parent folders of the file, outermost first.
  private var folders: [String] {
    var found = path.hasPrefix("/") ? ["/"] : ["."]
    for (index, character) in zip(path.indices, path) where character == "/" && index != path.startIndex {
      found.append(String(path[..<index]))
    }
    return found
  }
}
