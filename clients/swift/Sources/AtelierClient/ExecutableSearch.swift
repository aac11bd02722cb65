import AtelierProtocol
import POSIX

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where the service is found that is to be started.
enum ExecutableSearch {
  /// The path of an executable: the one that is named, otherwise `$ATELIER`, otherwise `atelier`. A name without a slash is
  /// looked for on the `PATH`.
  /// - Throws: `executable_not_found`.
  static func path(of executable: String?) throws(AtelierError) -> String {
    let wanted = executable ?? ProcessEnvironment.value(of: "ATELIER") ?? "atelier"
    let candidates = wanted.contains("/") ? [ProcessEnvironment.absolute(wanted)] : onPath(wanted)
    if let found = candidates.first(where: isExecutable) { return found }
    throw AtelierError(
      .executableNotFound,
      "There is no executable “\(wanted)”. Install atelier, or name it with the option `service` or the environment "
        + "variable ATELIER.")
  }

  private static func onPath(_ name: String) -> [String] {
    let folders = ProcessEnvironment.value(of: "PATH") ?? "/usr/local/bin:/usr/bin:/bin"
    // An empty part stands for the working directory.
    return folders.split(separator: ":", omittingEmptySubsequences: false).map { folder in
      ProcessEnvironment.absolute(folder.isEmpty ? name : "\(folder)/\(name)")
    }
  }

  private static func isExecutable(_ path: String) -> Bool {
    guard let status = try? FileStatus(path: path, followingLinks: true), status.isRegularFile else { return false }
    return access(path, X_OK) == 0
  }
}
