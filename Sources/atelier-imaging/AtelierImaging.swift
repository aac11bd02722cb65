import CVips
import Glibc
import Imaging
import JSONRPC
import POSIX

/// The worker: decodes untrusted pictures with minimal privileges, and crashes alone when a picture breaks it.
@main
enum AtelierImaging {
  static func main() async {
    guard let options = WorkerOptions(CommandLine.arguments.dropFirst()) else {
      end("atelier-imaging is started by atelier itself.", status: 2)
    }
    if let problem = Confinement.enter() { end(problem, status: 2) }
    guard cvips_start("atelier-imaging", 2) == 0 else { end("libvips does not start.", status: 1) }
    do {
      let connection = try serve(options)
      _ = await connection.run()
      await connection.finish()
      // Skips the exit handlers of libraries whose threads still run.
      _exit(0)
    } catch {
      end("The worker does not start: \(error)", status: 1)
    }
  }

  private static func serve(_ options: WorkerOptions) throws -> Connection {
    let idleWatch = IdleWatch(timeout: options.idleTimeout)
    let connection = Connection(
      transport: try StdioTransport.takingStandardStreams(), framing: .fixed(.lines),
      handler: JobServer(thread: try JobThread(), idleWatch: idleWatch))
    Task {
      await idleWatch.run()
      connection.stop(.inputEnded(hasReader: true))
    }
    return connection
  }

  private static func end(_ message: String, status: Int32) -> Never {
    try? BlockingIO.write(Array("\(message)\n".utf8), to: STDERR_FILENO)
    exit(status)
  }
}

/// The command line. Only the main process uses it, never people.
struct WorkerOptions {
  /// How long an idle worker stays.
  var idleTimeout = Duration.seconds(60)

  /// - Returns: nil when the arguments are not those that the main process passes.
  init?(_ arguments: some Sequence<String>) {
    var arguments = arguments.makeIterator()
    while let name = arguments.next() {
      guard name == "--idle-timeout-ms", let value = arguments.next(), let milliseconds = Int64(value),
        milliseconds > 0
      else { return nil }
      idleTimeout = .milliseconds(milliseconds)
    }
  }
}
