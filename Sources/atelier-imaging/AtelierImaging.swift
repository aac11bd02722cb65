import CVips
import Glibc
import Imaging
import JSONRPC
import POSIX

/// The worker: decodes pictures nobody vouches for, with as few means as possible, and dies alone when one breaks it.
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
      // Without the handlers of libraries whose threads still run.
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

/// The command line. People never write it: the main process does.
struct WorkerOptions {
  /// How long the worker stays when nothing is asked of it.
  var idleTimeout = Duration.seconds(60)

  /// - Returns: nil when the arguments are not what the main process passes.
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
