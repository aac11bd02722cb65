import CVips
import Glibc
import Imaging
import JSON
import JSONRPC
import POSIX

/// The worker: decodes untrusted pictures with minimal privileges, and crashes alone when a picture breaks it.
@main
enum AtelierImaging {
  static func main() {
    guard let options = WorkerOptions(arguments: CommandLine.arguments.dropFirst()) else {
      end("atelier-imaging is started by atelier itself.", status: 2)
    }
    do {
      try serve(options, on: try confinedTransport(options))
    } catch let failure as Confinement.Failure {
      end(failure.sentence, status: 2)
    } catch {
      end("The worker does not start: \(error)", status: 1)
    }
  }

  /// Loads everything that the jobs need and confines the process. No thread may start before that.
  private static func confinedTransport(_ options: WorkerOptions) throws -> StdioTransport {
    let hasNamespaces = try Confinement.enter(allowsDebugger: options.allowsDebugger)
    guard cvips_start("atelier-imaging", 2) == 0 else { end("libvips does not start.", status: 1) }
    // Without the module, the other formats can still be read.
    _ = cvips_start_heif()
    let transport = try StdioTransport.takingStandardStreams()
    let confinement = try Confinement.complete(hasNamespaces: hasNamespaces)
    let ready: JSONValue = [
      "jsonrpc": "2.0", "method": .string(WorkerReady.method),
      "params": try JSONValueEncoder().encode(WorkerReady(confinement: confinement)),
    ]
    try transport.write(ready.serialized() + [UInt8(ascii: "\n")])
    if !options.minimumConfinement.isReached(by: confinement) { _exit(WorkerEnd.tooLittleConfinementStatus) }
    return transport
  }

  /// Runs the jobs on the main thread: the decoders were written for its stack, and each thread counts where the system
  /// allows few.
  /// - Throws: `SystemError` when the main thread has too small a stack, and no other can be started.
  private static func serve(_ options: WorkerOptions, on transport: StdioTransport) throws(SystemError) -> Never {
    let (jobs, idleWatch) = (JobQueue(), IdleWatch(timeout: options.idleTimeout))
    let connection = Connection(
      transport: transport, framing: .fixed(.lines), handler: JobServer(jobs: jobs, idleWatch: idleWatch))
    // The priority of the jobs, whose threads of libdispatch it shares: each priority has threads of its own.
    Task(priority: .medium) {
      _ = await connection.run()
      await connection.finish()
      // Skips the exit handlers of libraries whose threads still run.
      _exit(0)
    }
    let run: @Sendable () -> Void = { [profiles = options.profiles] in
      jobs.run(at: JobContext(profiles: profiles), idleWatch) { connection.stop(.inputEnded(hasReader: true)) }
    }
    if Confinement.hasUsualStack { run() }
    try DedicatedThread.start(stackBytes: Confinement.stackBytes, run)
    while true { pause() }
  }

  private static func end(_ message: String, status: Int32) -> Never {
    try? BlockingIO.write(Array("\(message)\n".utf8), to: STDERR_FILENO)
    exit(status)
  }
}
