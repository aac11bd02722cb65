import Glibc

/// Names a file without opening its content; Glibc declares it only for GNU sources.
let O_PATH: Int32 = 0o10_000_000

/// Folders outside of which no path leads, whatever symbolic links lie on the way and whoever exchanges them meanwhile.
///
/// Needs `/proc`: without it, nothing is found.
public struct AllowedFolders: Sendable, Equatable {
  /// Absolute paths; a symbolic link among them stands for the folder it leads to.
  public var paths: [String]

  public init(_ paths: [String] = []) { self.paths = paths }

  /// Opens what `path` names, neither for reading nor for writing (`O_PATH`). The opened file itself is then asked where
  /// it is, so that a link exchanged in between does not matter. What lies outside by its name is not touched.
  /// - Returns: nil if it is outside the folders, or cannot be reached. A caller must not tell these apart: where a link
  ///   leads outside, that would show what is there.
  package func open(_ path: String) -> FileDescriptor? {
    guard contain(path) else { return nil }
    let number = Glibc.open(path, O_PATH | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let descriptor = FileDescriptor(owning: number)
    guard let location = Self.location(of: descriptor) else { return nil }
    let parts = Self.parts(of: location)
    guard locations.contains(where: { parts.starts(with: Self.parts(of: $0)) }) else { return nil }
    return descriptor
  }

  /// Whether `path` lies beneath one of the folders by its name; a relative path begins at the working directory.
  public func contain(_ path: String) -> Bool {
    guard !paths.isEmpty, !path.utf8.contains(0), let absolute = Self.absolute(path) else { return false }
    let parts = Self.parts(of: absolute)
    // What follows a symbolic link and `..` cannot be told from the name.
    guard !parts.contains(where: { $0.elementsEqual([UInt8(ascii: "."), UInt8(ascii: ".")]) }) else { return false }
    return (paths + locations).contains { parts.starts(with: Self.parts(of: $0)) }
  }

  /// Whether `path` is absolute and there is a folder.
  public static func isFolder(_ path: String) -> Bool {
    path.utf8.first == UInt8(ascii: "/") && location(ofFolder: path) != nil
  }

  /// Where the folders are now, with every link followed.
  private var locations: [String] { paths.compactMap(Self.location(ofFolder:)) }

  private static func location(ofFolder path: String) -> String? {
    let number = Glibc.open(path, O_PATH | O_DIRECTORY | O_CLOEXEC)
    return number < 0 ? nil : location(of: FileDescriptor(owning: number))
  }

  private static func absolute(_ path: String) -> String? {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    return target(ofLink: "/proc/self/cwd").map { "\($0)/\(path)" }
  }

  /// The path of an open file, as the kernel knows it.
  private static func location(of descriptor: borrowing FileDescriptor) -> String? {
    target(ofLink: "/proc/self/fd/\(descriptor.number)")
  }

  private static func target(ofLink path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let length = readlink(path, &buffer, buffer.count)
    // A file outside of this process's root has a location that begins with “(unreachable)”.
    guard length > 0, length < buffer.count, buffer[0] == CChar(bitPattern: UInt8(ascii: "/")) else { return nil }
    return String(validating: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The names in a path, as bytes: strings that differ may be equal to Swift.
  private static func parts(of path: String) -> [[UInt8]] {
    path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init).filter { $0 != [UInt8(ascii: ".")] }
  }
}
