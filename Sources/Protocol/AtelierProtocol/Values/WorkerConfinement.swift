/// How the process that decodes pictures is confined, as it found itself after it had confined itself.
public struct WorkerConfinement: Codable, Sendable, Equatable {
  /// Whether only listed system calls are possible; any other ends the process.
  public var seccomp: Bool
  /// The version of Landlock that closes the file system to it; 0 where the kernel has none.
  public var landlockAbi: Int
  /// Whether other processes of the user can read its memory; true only for debugging.
  public var dumpable: Bool
  /// Whether it is alone in its user, network and IPC namespaces, which many systems do not allow.
  public var namespaces: Bool

  public init(seccomp: Bool, landlockAbi: Int, dumpable: Bool, namespaces: Bool) {
    self.seccomp = seccomp
    self.landlockAbi = landlockAbi
    self.dumpable = dumpable
    self.namespaces = namespaces
  }
}
