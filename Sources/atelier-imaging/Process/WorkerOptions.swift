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
