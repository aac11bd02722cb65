import AtelierClient
import Glibc
import POSIX

/// What the client for Swift costs: a ping through it beside one written and read by hand, and the memory of generations
/// under way. The arguments are the path of `atelier` and a data directory; prints one object in JSON.
@main
enum ClientBenchmark {
  private static let rounds = 5_000
  private static let generations = 1_000

  static func main() async throws {
    guard CommandLine.arguments.count == 3 else { return }
    var options = Studio.Options(dataDirectory: CommandLine.arguments[2])
    options.service = .executable(CommandLine.arguments[1])
    // First, while nothing that is freed again can be reused.
    let bytes = try await memory(options)
    let byHand = try await DedicatedThread.run {
      try handwritten(CommandLine.arguments[1], dataDirectory: CommandLine.arguments[2])
    }
    let (oneByOne, together) = try await throughClient(options)
    print(
      """
      {"byHand": \(byHand), "oneByOne": \(oneByOne), "together": \(together), "bytesPerGeneration": \(bytes)}
      """)
  }

  /// The median time of a ping over two pipes, in microseconds.
  private static func handwritten(_ executable: String, dataDirectory: String) throws -> Double {
    let requests = try PipeEnds()
    let answers = try PipeEnds()
    let errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 16)
    let service = SpawnedProcess(
      try PosixSpawn.start(
        executable, ["serve", "--data-dir", dataDirectory], environment: ProcessEnvironment.variables,
        descriptors: [(requests.reading.number, 0), (answers.writing.number, 1), (errors, 2)],
        operation: "start the service"))
    close(errors)
    let input = answers.intoReading()
    let output = requests.intoWriting()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var samples: [Duration] = []
    let clock = ContinuousClock()
    for number in 0..<rounds {
      let start = clock.now
      try BlockingIO.write(Array("{\"jsonrpc\":\"2.0\",\"id\":\(number),\"method\":\"ping\"}\n".utf8), to: output.number)
      var last: UInt8 = 0
      while last != UInt8(ascii: "\n") {
        let count = try BlockingIO.readSome(into: &buffer, from: input.number)
        guard count > 0 else { throw SystemError(code: EPIPE, operation: "read an answer") }
        last = buffer[count - 1]
      }
      samples.append(clock.now - start)
    }
    service.killGroup()
    service.reap()
    return median(samples)
  }

  /// The median time of a ping, one after another, and the mean of many at once, in microseconds.
  private static func throughClient(_ options: Studio.Options) async throws -> (oneByOne: Double, together: Double) {
    try await withStudio(options) { studio in
      let clock = ContinuousClock()
      var samples: [Duration] = []
      for _ in 0..<rounds {
        let start = clock.now
        _ = try await studio.send(Ping())
        samples.append(clock.now - start)
      }
      let start = clock.now
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<20 {
          group.addTask {
            for _ in 0..<rounds / 10 { _ = try await studio.send(Ping()) }
          }
        }
        try await group.waitForAll()
      }
      return (median(samples), microseconds(clock.now - start) / Double(2 * rounds))
    }
  }

  /// The bytes of this process that a generation takes, which waits for a provider that cannot be reached.
  private static func memory(_ options: Studio.Options) async throws -> Int {
    var options = options
    options.environment = [
      "GEMINI_API_KEY": "an-invented-key-0123456789",
      "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:9", "no_proxy": "127.0.0.1",
    ]
    return try await withStudio(options) { studio in
      let before = residentBytes()
      var request = Generate(recipe: .create, prompt: "a lighthouse", provider: ProviderChoice("gemini"))
      request.whenOffline = .queue
      let handles = (0..<generations).map { _ in studio.generate(request) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for handle in handles {
          group.addTask {
            for try await _ in handle.progress { break }
          }
        }
        try await group.waitForAll()
      }
      let after = residentBytes()
      for handle in handles { handle.cancel() }
      for handle in handles { _ = try? await handle.result }
      return (after - before) / generations
    }
  }

  private static func residentBytes() -> Int {
    var bytes = [UInt8](repeating: 0, count: 256)
    let file = FileDescriptor(owning: open("/proc/self/statm", O_RDONLY | O_CLOEXEC))
    let count = (try? BlockingIO.readSome(into: &bytes, from: file.number)) ?? 0
    let fields = String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
  }

  private static func median(_ samples: [Duration]) -> Double { microseconds(samples.sorted()[samples.count / 2]) }

  private static func microseconds(_ duration: Duration) -> Double { duration / .microseconds(1) }
}
