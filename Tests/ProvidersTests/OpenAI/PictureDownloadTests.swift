import AtelierProtocol
import CurlHTTP
import JSON
import Support
import Testing

@testable import Providers

@Suite("The download of a picture behind a link")
struct PictureDownloadTests {
  private static let link = ScriptedServer.Answer.json(#"{"data":[{"url":"/picture.png"}]}"#)

  private static func status(_ status: Int, _ headers: [HTTPHeader] = []) -> ScriptedServer.Answer {
    .json(#"{"error":{"message":"Insufficient balance"}}"#, status: status, headers: headers)
  }

  private static func broken(_ cause: HTTPError.Cause, after body: [UInt8] = []) -> ScriptedServer.Answer {
    let error = HTTPError(cause, mayHaveBeenSent: true, detail: "x")
    return body.isEmpty ? ScriptedServer.Answer(error: error) : ScriptedServer.Answer(body: body, errorAfterBody: error)
  }

  /// - Returns: the pauses between the attempts, the paths that were asked, and the picture or the error.
  private func make(
    _ answers: [ScriptedServer.Answer], timeoutMs: Int = 60_000
  ) async throws -> (pauses: [Duration], gets: [String], result: Result<ProviderImage, any Error>) {
    let server = ScriptedServer([Self.link] + answers)
    let pauses = SharedState<[Duration]>([])
    let provider = OpenAIProvider(
      settings: try OpenAITest.settings(OpenAITest.local), http: server, keys: GivenKey(text: OpenAITest.key),
      sleep: { pause in pauses.change { $0.append(pause) } })
    var request = OpenAITest.request()
    request.timeoutMs = timeoutMs
    let result: Result<ProviderImage, any Error>
    do {
      result = .success(try await provider.makeImage(request) { _ in })
    } catch {
      result = .failure(error)
    }
    let requests = server.requests.value
    #expect(requests.filter { $0.method == .post }.count == 1)
    return (pauses.value, requests.dropFirst().map(\.url), result)
  }

  @Test("a download that fails for the moment is tried again, after longer and longer pauses", arguments: [
    status(404), status(202), status(408), status(429), status(429, [HTTPHeader("Retry-After", "1")]), status(500),
    status(502), status(503), status(504), broken(.reset), broken(.timedOut(.stall)), broken(.connect),
    broken(.truncated, after: [0x89, 0x50]), ScriptedServer.Answer(),
  ])
  func again(answer: ScriptedServer.Answer) async throws {
    let bytes = try OpenAITest.photo("plain.png")
    let picture = ScriptedServer.Answer(body: bytes)
    for count in 1...3 {
      let made = try await make(Array(repeating: answer, count: count) + [picture])
      #expect(try made.result.get().bytes == bytes)
      #expect(made.pauses == Array(PictureDownload.pauses.prefix(count)))
    }
    let made = try await make([answer])
    let error = try #require(throws: AtelierError.self) { try made.result.get() }
    #expect(made.pauses == PictureDownload.pauses && made.gets.count == 4)
    check(error)
    #expect(error.retryable == nil)
  }

  @Test("a download that is refused says nothing of the key, of money or of limits, whatever its words", arguments: [
    400, 401, 402, 403, 405, 406, 410, 451,
  ])
  func refused(status: Int) async throws {
    let made = try await make([Self.status(status)])
    let error = try #require(throws: AtelierError.self) { try made.result.get() }
    #expect(made.pauses.isEmpty && made.gets.count == 1)
    check(error)
    #expect(error.retryable == false && error.details["httpStatus"] == .number(JSONNumber(status)))
  }

  private func check(_ error: AtelierError) {
    #expect(error.kind == .noImageReturned && error.details["reason"] == "picture_unfetched")
    #expect(error.details["mayHaveBeenCharged"] == true && error.retryAfterMs == nil)
    #expect(error.message.contains("was made, but could not be fetched"))
    // Nothing is paused, nothing sent again, and no other provider is paid for the same picture.
    let consequences = error.kind.consequences
    #expect(consequences.pause == .none && !consequences.isSentAgain && !consequences.isPassedOn)
  }

  @Test("a download ends with the time for the picture")
  func deadline() async throws {
    let made = try await make([Self.status(503)], timeoutMs: 2500)
    #expect(made.pauses == [.seconds(1), .seconds(2)] && made.gets.count == 3)
    let patient = try await make([Self.status(429, [HTTPHeader("Retry-After", "90")])])
    #expect(patient.pauses.isEmpty && patient.gets.count == 1)
  }

  @Test("a download follows what the same server redirects to, and nobody else")
  func redirects() async throws {
    let bytes = try OpenAITest.photo("plain.webp")
    func to(_ place: String) -> ScriptedServer.Answer { Self.status(302, [HTTPHeader("Location", place)]) }
    let picture = ScriptedServer.Answer(body: bytes)
    let followed = try await make([to("/other.png"), to("http://localhost:8080/third.png?x=1"), picture])
    #expect(try followed.result.get().bytes == bytes)
    #expect(followed.gets == ["picture.png", "other.png", "third.png?x=1"].map { "http://127.0.0.1:8080/\($0)" })
    for place in ["https://evil.example/a.png", "//evil.example/a.png", "http://127.0.0.1:8081/a.png", "a.png"] {
      let made = try await make([to(place), picture])
      #expect(made.gets.count == 1)
      check(try #require(throws: AtelierError.self) { try made.result.get() })
    }
    let endless = try await make([to("/picture.png")])
    #expect(endless.gets.count == 6)
    check(try #require(throws: AtelierError.self) { try endless.result.get() })
  }

  @Test("a download keeps a picture that is whole although the end of its answer is missing")
  func interrupted() async throws {
    let bytes = try OpenAITest.photo("plain.png")
    let made = try await make([Self.broken(.truncated, after: bytes)])
    #expect(try made.result.get().bytes == bytes && made.pauses.isEmpty)
  }

  @Test("a download that brings a page instead of a picture is one that failed")
  func page() async throws {
    let made = try await make([ScriptedServer.Answer(body: Array("<html>Log in</html>".utf8))])
    #expect(made.gets.count == 1)
    check(try #require(throws: AtelierError.self) { try made.result.get() })
  }
}
