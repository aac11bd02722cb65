import Encodings
import Localization

/// A text that names a photo somewhere else, or in another notation than a path on this machine.
enum ForeignPath: Equatable {
  /// A URL that holds the picture itself.
  case data
  case web
  /// The path that a `file:` URL stands for.
  case fileURL(String)
  /// The same file where WSL shows it, if it is on a drive.
  case windows(String?)
  case uploadOfAChat
  case quoted
  case home
  case escaped
  case variable

  /// - Returns: nil for what is a path, for all that can be seen.
  init?(_ text: String) {
    let text = Self.trimmed(text)
    let lower = text.prefix(32).lowercased()
    guard let first = text.first, let last = text.last else { return nil }
    if Self.quotes.contains(first), Self.quotes.contains(last), text.count > 1 {
      self = .quoted
    } else if lower.hasPrefix("data:") {
      self = .data
    } else if lower.hasPrefix("http://") || lower.hasPrefix("https://") {
      self = .web
    } else if lower.hasPrefix("file:") {
      let path = Self.path(ofURL: text)
      self = Self.pathOfWindows(path.drop { $0 == "/" }) ?? .fileURL(path)
    } else if let windows = Self.pathOfWindows(text[...]) {
      self = windows
    } else if Self.uploads.contains(where: lower.hasPrefix) {
      self = .uploadOfAChat
    } else if first == "~" {
      self = .home
    } else if first == "$" || lower.hasPrefix("%userprofile%") || lower.hasPrefix("%home") {
      self = .variable
    } else if ["\\ ", "\\(", "\\)", "\\'", "\\&"].contains(where: text.contains) {
      self = .escaped
    } else if !text.contains("/"), text.contains("\\") {
      self = .windows(nil)
    } else {
      return nil
    }
  }

  /// Why there is no file, and what to do.
  func sentence(_ path: String) -> Sentence {
    switch self {
    case .data: "The picture itself was given where the path of a file belongs: send it as data."
    case .web: "“\(path)” is an address on the web, not a file: download the picture and name its path."
    case .fileURL(let plain): "“\(path)” is a URL, not a path. Name the file as “\(plain)”."
    case .windows(let here?):
      "“\(path)” is a path of Windows, which this machine does not know. Under WSL, name it as “\(here)”; otherwise, copy "
        + "the photo to this machine."
    case .windows(nil):
      "“\(path)” is a path of Windows, which this machine does not know. Copy the photo to this machine and name its path."
    case .uploadOfAChat:
      "“\(path)” is where a chat keeps uploaded files, which this machine cannot read. Save the photo on this machine and "
        + "name its path, or send it as data."
    case .quoted: "There is no file at \(path): the quotation marks are taken as part of the name. Leave them out."
    case .home: "There is no file at “\(path)”: ~ is not replaced here. Write the home folder out, as in /home/name."
    case .escaped:
      "There is no file at “\(path)”: the backslashes are taken as part of the name. Leave them out."
    case .variable: "There is no file at “\(path)”: variables are not replaced here. Write the path out."
    }
  }

  private static let quotes: Set<Character> = ["\"", "'", "`", "“", "”", "„", "‘", "’", "«", "»"]
  /// Where assistants keep what was uploaded to a conversation.
  private static let uploads = [
    "/mnt/user-data/", "/mnt/data/", "/mnt/uploads/", "/mnt/file_upload", "/home/oai/", "/home/claude/", "sandbox:",
    "attachment:", "attachments:", "upload:", "uploads:", "file-service:", "content:", "blob:", "cid:", "/uploads/",
  ]

  private static func pathOfWindows(_ text: Substring) -> ForeignPath? {
    let second = text.dropFirst().first
    if text.first?.isLetter == true, text.first?.isASCII == true, second == ":" || second == "|",
      let third = text.dropFirst(2).first, third == "\\" || third == "/"
    {
      let drive = text.prefix(1).lowercased()
      let rest = text.dropFirst(2).replacing("\\", with: "/")
      return .windows("/mnt/\(drive)\(rest)")
    }
    return text.hasPrefix("\\\\") ? .windows(nil) : nil
  }

  /// `file:///home/a%20b`, `file://localhost/home`, `file:/home`.
  private static func path(ofURL url: String) -> String {
    var rest = url.dropFirst("file:".count)
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      if !rest.hasPrefix("/") {
        let host = rest.prefix { $0 != "/" }
        if HostAddress(host).isLoopback { rest = rest.dropFirst(host.count) }
      }
    }
    // What is not UTF-8 stays as it is written: another name would be another file.
    return String(validating: PercentEncoding.decoded(Array(rest.utf8)[...]), as: UTF8.self) ?? String(rest)
  }

  /// Without outer blanks, and without the invisible marks of direction that Windows puts before a copied path.
  private static func trimmed(_ text: String) -> String {
    func isOuter(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
    }
    var rest = text.unicodeScalars[...]
    while let first = rest.first, isOuter(first) { rest = rest.dropFirst() }
    while let last = rest.last, isOuter(last) { rest = rest.dropLast() }
    return String(rest)
  }
}

extension PhotoFile {
  /// Whether a text names a photo somewhere else than by a path of this machine, which ``read(_:maximumBytes:within:)``
  /// refuses with a sentence of its own.
  public static func isForeign(_ text: String) -> Bool { ForeignPath(text) != nil }
}
