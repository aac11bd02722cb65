import AtelierProtocol

/// Carries out requests one after another, and goes on after a failure.
struct EachInTurn<Request> {
  private let requests: [(name: String, request: Request)]

  init(_ requests: [Request], named names: [String]) {
    self.requests = Array(zip(names, requests))
  }

  /// - Throws: the failure of a single request; of several, how many failed, after the sentence of each.
  func run(_ work: (Request) async throws -> Void) async throws {
    var failed = 0
    for (name, request) in requests {
      do {
        try await work(request)
      } catch {
        if requests.count == 1 { throw error }
        Console.tell("\(name.onOneLine): \(CommandFailure(error).sentence)")
        failed += 1
      }
    }
    if failed > 0 { throw CommandFailure(sentence: "\(failed) of \(requests.count) failed.") }
  }
}
