import Glibc

/// Words from the command line, the environment and the file system that are not UTF-8.
///
/// Swift replaces what it cannot read: a folder whose name is in an older encoding would silently become another folder,
/// which is then created. Such a word is refused.
enum ForeignText {
  /// - Throws: `CommandFailure` for the first argument that is not UTF-8.
  static func checkArguments() throws {
    for number in 1..<Int(CommandLine.argc) {
      // The arguments live as long as the process.
      guard let text = CommandLine.unsafeArgv[number], String(validatingCString: text) == nil else { continue }
      let shown = String(cString: text)
      let option = number > 1 ? CommandLine.unsafeArgv[number - 1].map { String(cString: $0) } : nil
      let isDataDirectory = option == "--data-dir" || shown.hasPrefix("--data-dir=")
      throw refusal("The argument “\(shown)”", status: isDataDirectory ? CommandFailure.dataDirectoryUnusable : 2)
    }
  }

  /// The text of an environment variable that names a path; nil when it is absent or empty.
  /// - Throws: `CommandFailure` when it is not UTF-8.
  static func path(inVariable name: String) throws -> String? {
    guard let text = getenv(name), text.pointee != 0 else { return nil }
    guard let path = String(validatingCString: text) else {
      throw refusal("The variable \(name) (“\(String(cString: text))”)", status: CommandFailure.dataDirectoryUnusable)
    }
    return path
  }

  /// The absolute path of the working directory; nil when there is none.
  /// - Throws: `CommandFailure` when it is not UTF-8.
  static func workingDirectory() throws -> String? {
    // With no buffer given, `getcwd` makes one, which belongs to the caller.
    guard let text = getcwd(nil, 0) else { return nil }
    defer { free(text) }
    guard let path = String(validatingCString: text) else {
      throw refusal("The working directory (“\(String(cString: text))”)", status: CommandFailure.dataDirectoryUnusable)
    }
    return path
  }

  private static func refusal(_ subject: String, status: Int32) -> CommandFailure {
    CommandFailure(
      sentence: "\(subject) is not UTF-8 text, so it cannot be told from others. Rename what it names, as with convmv, or "
        + "name a symbolic link that leads there.",
      status: status)
  }
}
