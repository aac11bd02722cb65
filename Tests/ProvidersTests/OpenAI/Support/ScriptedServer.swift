import AtelierProtocol
import Credentials
import CurlHTTP
import Encodings
import Foundation
import Support
import Synchronization

@testable import Providers

/// Answers HTTP requests as a test tells it to, and remembers them.
final class ScriptedServer: HTTPPerforming {
  struct Answer: Sendable {
    var status = 200
    var headers: [HTTPHeader] = []
    var body: [UInt8] = []
    /// How the body of a good status comes; the last piece holds what is left.
    var pieces: [Int] = []
    var error: HTTPError?
    /// What breaks the connection once the body has come.
    var errorAfterBody: HTTPError?
    /// Never answers; ends when it is cancelled.
    var hangs = false

    static func json(_ text: String, status: Int = 200, headers: [HTTPHeader] = []) -> Answer {
      Answer(status: status, headers: headers, body: Array(text.utf8))
    }
  }

  private let answers: Mutex<[Answer]>
  let requests = SharedState<[HTTPRequest]>([])

  /// - Parameter answers: in order; the last one goes on.
  init(_ answers: Answer...) { self.answers = Mutex(answers) }

  init(_ answers: [Answer]) { self.answers = Mutex(answers) }

  func perform(
    _ request: HTTPRequest, takesPieces: Bool, event: @escaping @Sendable (HTTPTransferEvent) -> Void
  ) async throws -> HTTPResponse {
    try Task.checkCancellation()
    requests.change { $0.append(request) }
    let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? Answer() }
    if let size = request.body?.count {
      event(.sent(bytes: size / 2, of: size))
      event(.sent(bytes: size, of: size))
    }
    if let error = answer.error { throw error }
    if answer.hangs { try await SharedState(false).wait { $0 } }
    event(.responded(status: answer.status))
    guard takesPieces, (200..<300).contains(answer.status) else {
      return HTTPResponse(status: answer.status, headers: answer.headers, body: answer.body)
    }
    var rest = answer.body[...]
    for length in answer.pieces where !rest.isEmpty {
      event(.received(Array(rest.prefix(length))))
      rest = rest.dropFirst(length)
    }
    if !rest.isEmpty { event(.received(Array(rest))) }
    if let error = answer.errorAfterBody { throw error }
    return HTTPResponse(status: answer.status, headers: answer.headers, body: [])
  }
}

/// Keys that are simply there.
struct GivenKey: APIKeySource {
  var text: String?
  var failure: AtelierError?

  func key(for provider: ProviderID) async throws(AtelierError) -> APIKey? {
    if let failure { throw failure }
    return text.flatMap(APIKey.init)
  }
}

/// What the tests of this folder share.
enum OpenAITest {
  static let key = "sk-proj-Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1"
  static let local = "http://127.0.0.1:8080/v1"

  static func settings(
    _ base: String = "https://api.openai.com", model: String = "gpt-image-2", partialImages: Int? = nil
  ) throws -> OpenAISettings {
    var cloud = OpenAISettings.standard
    guard let baseURL = BaseURL(base) else { throw CloudConfigurationProblem(member: base, expected: "a base URL") }
    cloud.baseURL = baseURL
    cloud.model = model
    return OpenAISettings(cloud: cloud, partialImages: partialImages)
  }

  static func provider(
    _ server: any HTTPPerforming, base: String = "https://api.openai.com", model: String = "gpt-image-2",
    key: String? = key, partialImages: Int? = nil
  ) throws -> OpenAIProvider {
    OpenAIProvider(
      settings: try settings(base, model: model, partialImages: partialImages), http: server, keys: GivenKey(text: key))
  }

  static func photo(_ name: String = "plain.jpg") throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return Array(try Data(contentsOf: folder.appending(path: "Fixtures/images/\(name)")))
  }

  static func request(
    _ recipe: Recipe = .create, photo: [UInt8]? = nil, references: [[UInt8]] = [], prompt: String? = "a lighthouse",
    model: String? = nil, temperature: Double? = nil, seed: Int? = nil, aspectRatio: String? = nil, size: String? = nil,
    format: PictureFormat? = nil
  ) -> ImageRequest {
    ImageRequest(
      recipe: recipe, photo: photo, references: references, prompt: prompt, model: model, temperature: temperature,
      seed: seed, aspectRatio: aspectRatio, size: size, format: format, timeoutMs: 60_000)
  }

  /// An answer with the file `name` as its picture.
  static func answer(_ name: String = "plain.png", more: String = "") throws -> String {
    #"{"created":1,"data":[{"b64_json":"\#(Base64.encoded(try photo(name)))"}]\#(more)}"#
  }
}

/// Keeps what is told, in order.
final class ProgressRecord: Sendable {
  private let told = Mutex<[ImageProgress]>([])

  var all: [ImageProgress] { told.withLock { $0 } }

  func note(_ progress: ImageProgress) { told.withLock { $0.append(progress) } }
}
