import CurlHTTP
import Glibc
import Support
import Synchronization
import Testing

@Suite("Many transfers at once", .timeLimit(.minutes(2)))
struct ManyTransfersTests {
  /// Both ends of a thousand connections are this process's.
  init() {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  @Test("a thousand transfers on one client are answered each with its own, and those that are cancelled end")
  func thousand() async throws {
    let (count, toCancel) = (1_000, 300)
    let everybodyIsThere = Barrier(count)
    // The first to fail speaks up: without it the others would wait for it until the test's time is over.
    let starts = Reports<Result<Void, any Error>>()
    let server = try RawServer { connection in
      guard let request = connection.readRequest() else { return }
      if everybodyIsThere.arrive() { starts.add(.success(())) }
      everybodyIsThere.wait()
      if request.target.hasPrefix("/cancel") {
        connection.waitForEnd()
      } else {
        connection.respond(200, "X-Marker: \(request.target)\r\n", body: request.body)
      }
    }
    defer {
      everybodyIsThere.open()
      server.close()
    }
    let client = CurlClient()
    let tasks = (0..<count).map { number in
      let path = number < toCancel ? "/cancel/\(number)" : "/\(number)"
      let request = HTTPRequest(.post, server.url + path, body: Array("body \(number)".utf8), limits: .generous)
      return Task {
        do {
          return try await client.perform(request)
        } catch {
          starts.add(.failure(error))
          throw error
        }
      }
    }
    try await starts.next().get()
    for task in tasks.prefix(toCancel) { task.cancel() }
    for (number, task) in tasks.enumerated() {
      switch await task.result {
      case .success(let response):
        #expect(number >= toCancel)
        #expect(response.header("x-marker") == "/\(number)")
        #expect(response.body == Array("body \(number)".utf8))
      case .failure(let error):
        #expect(number < toCancel && error is CancellationError, "\(number): \(error)")
      }
    }
    #expect(server.connectionCount == count)
  }

  @Test(
    "transfers of every kind, cancelled at random or not, end exactly once and as their server wants",
    arguments: 0..<20 as Range<UInt64>)
  func random(seed: UInt64) async throws {
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        guard ServerMood(request.target)?.answer(request, on: connection) == true else { return }
      }
    }
    defer { server.close() }
    let client = CurlClient()
    var random = SplitMix64(seed: seed)
    var limits = HTTPLimits.generous
    limits.responseBytes = 100_000
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        let mood = ServerMood.allCases.randomElement(using: &random) ?? .echo
        let cancelsAfter = mood == .hang || random.next() % 4 == 0 ? Int.random(in: 0..<300, using: &random) : nil
        let body = [UInt8](repeating: UInt8(number), count: Int.random(in: 0..<50_000, using: &random))
        let request = HTTPRequest(.post, "\(server.url)/\(mood.rawValue)", body: body, limits: limits)
        group.addTask {
          let task = Task { try await client.perform(request) }
          if let cancelsAfter {
            for _ in 0..<cancelsAfter { await Task.yield() }
            task.cancel()
          }
          let result = await task.result
          if case .failure(let error) = result, error is CancellationError {
            #expect(cancelsAfter != nil, "seed \(seed), \(mood)")
          } else {
            mood.check(result, body, "seed \(seed), number \(number)")
          }
        }
      }
    }
  }
}
