import Glibc

/// Which file it is, whatever its name.
package struct FileIdentity: Sendable, Hashable, Codable {
  package var device: UInt64
  package var inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}
