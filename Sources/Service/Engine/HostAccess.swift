import AtelierProtocol
import POSIX
import Store

/// The folders of the host's files that confined connections may use.
public struct HostAccess: Sendable, Equatable {
  /// Files in these may be read.
  public var read: AllowedFolders
  /// Pictures and exports may be written into these.
  public var write: AllowedFolders

  public init(read: AllowedFolders = AllowedFolders(), write: AllowedFolders = AllowedFolders()) {
    self.read = read
    self.write = write
  }

  /// Whether a confined connection may be told this path.
  public func shows(_ path: String) -> Bool { read.contain(path) || write.contain(path) }
}
