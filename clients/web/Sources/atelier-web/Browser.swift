import Glibc
import POSIX

/// The browser of the desktop.
enum Browser {
  /// What it needs to know of the environment; never a key.
  private static let variables = [
    "PATH", "HOME", "USER", "LANG", "LC_ALL", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS",
    "XDG_CURRENT_DESKTOP", "XDG_RUNTIME_DIR", "XDG_DATA_DIRS", "XDG_CONFIG_HOME", "BROWSER",
  ]

  /// Opens `link` where there is a desktop; otherwise nothing happens, and the person opens it.
  ///
  /// The browser is started on a file that leads there, because everybody on a machine can read the arguments of programs.
  /// - Parameter folder: where the file is put. It is of no use once the link was used.
  static func open(_ link: String, by folder: String) {
    let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { ProcessEnvironment.value(of: $0) != nil }
    let programs: [String] = (ProcessEnvironment.value(of: "PATH") ?? "").split(separator: ":").map { "\($0)/xdg-open" }
    guard hasDesktop, let program = programs.first(where: { access($0, X_OK) == 0 }) else { return }
    let page = "\(folder)/open.html"
    let text = "<!doctype html><meta charset=utf-8><title>Atelier</title>"
      + "<meta http-equiv=refresh content=\"0;url=\(link)\">\n"
    let number = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
    guard number >= 0 else { return }
    do {
      let nowhere = try FileDescriptor(owning: number).raised()
      try FileSystem.replace(page, with: Array(text.utf8), temporary: "\(page).new", permissions: 0o600)
      let process = try PosixSpawn.start(
        program, ["file://\(page)"],
        environment: variables.compactMap { name in ProcessEnvironment.value(of: name).map { "\(name)=\($0)" } },
        descriptors: [(nowhere.number, STDIN_FILENO), (nowhere.number, STDOUT_FILENO), (nowhere.number, STDERR_FILENO)],
        operation: "start \(program)", inOwnGroup: true)
      try DedicatedThread.start {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
      }
    } catch {
      // The address is on standard output.
    }
  }
}
