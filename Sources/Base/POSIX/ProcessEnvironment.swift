import Glibc

/// What this process was told when it was started.
package enum ProcessEnvironment {
  /// Every variable, as `NAME=value`; bytes that are not UTF-8 are replaced.
  package static var variables: [String] {
    var texts: [String] = []
    guard var entry = environ as UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? else { return [] }
    // The C library keeps a nil-terminated vector of strings; a program that changes it must not do so meanwhile.
    while let text = entry.pointee {
      texts.append(String(cString: text))
      entry += 1
    }
    return texts
  }

  /// The value of one variable; nil if it is not set, or empty.
  package static func value(of name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// A path from the root, from this process's working directory on; as it is if that cannot be determined.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
  }
}
