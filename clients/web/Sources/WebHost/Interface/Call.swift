import AtelierClient
import Hummingbird
import JSON
import Localization
import NIOCore

/// One request of a browser or an app, with what its handler may need.
struct Call: Sendable {
  /// The most bytes of a body that is not a photo.
  static let maximumBodyBytes = 1 << 20
  /// How long such a body may take to come.
  private static let bodyLimit = Duration.seconds(30)

  let request: Request
  let parameters: Parameters
  let host: WebHost
  /// Who asks.
  let visitor: Visitor

  /// The account that the request acts for: that of its session.
  var account: AccountID { visitor.account }

  /// The language of the person: of the query where a browser lets a page set no header, as for event streams.
  var language: Language {
    let chosen = request.uri.queryParameters["language"].map(String.init) ?? request.headers[.acceptLanguage] ?? ""
    return Language(preferred: chosen) ?? host.options.language
  }

  /// The service in the language of the person.
  /// - Throws: `not_admitted` when the account was deleted while the request came: it would begin anew.
  var studio: Studio {
    get async throws {
      let studio = try await host.services.studio(language)
      guard await host.standings.deletion(of: account, at: host.surroundings.now()) == nil else { throw host.notAdmitted }
      return studio
    }
  }

  /// A result as it is answered: without paths, and in the public way without what is not for customers.
  func json(_ result: some Encodable) throws -> JSONValue {
    host.told(try Params.json(result))
  }

  /// The parameter of the path in braces.
  /// - Throws: `not_found` for what cannot be an id.
  func parameter(_ name: String) throws(WebError) -> String {
    guard let value = parameters.get(name), !value.isEmpty, value.utf8.count <= 256 else { throw .notFound }
    return value
  }

  /// The bytes of the body.
  /// - Throws: `WebError` for more than ``maximumBodyBytes``.
  func body() async throws -> [UInt8] {
    if let declared = request.headers[.contentLength].flatMap({ Int($0) }), declared > Self.maximumBodyBytes {
      throw WebError.tooLarge(Self.maximumBodyBytes)
    }
    return try await withDeadline(Self.bodyLimit, orThrow: .uploadTooSlow) { [request] in
      var bytes: [UInt8] = []
      do {
        for try await part in request.body {
          bytes += Array(buffer: part)
          guard bytes.count <= Self.maximumBodyBytes else { throw WebError.tooLarge(Self.maximumBodyBytes) }
        }
      } catch let error as WebError {
        throw error
      } catch {
        throw WebError.uploadInterrupted
      }
      return bytes
    }
  }

  /// The object in the body; an empty one without a body.
  /// - Throws: `WebError` for what is no JSON object, or too large.
  func object() async throws -> JSONObject {
    let bytes = try await body()
    if bytes.isEmpty { return [:] }
    guard request.headers[.contentType]?.lowercased().hasPrefix("application/json") == true else { throw WebError.notJSON }
    do {
      guard let object = try JSONValue(parsing: bytes).object else {
        throw WebError(400, "parse_error", "The request must be a JSON object.")
      }
      return object
    } catch let error as JSONSyntaxError {
      throw WebError(400, "parse_error", error.message)
    }
  }

  /// The values of the query. Numbers and truth values are what they look like, where the member is one.
  func query() -> JSONObject {
    var object: JSONObject = [:]
    for (name, value) in request.uri.queryParameters where name != "language" {
      object[String(name)] = Self.value(String(value), of: String(name))
    }
    return object
  }

  private static let numbers: Set = ["limit", "maxSide", "index", "offset", "longestSide", "copies"]
  private static let truths: Set = ["favorite", "fetchModels", "metrics", "cuttingLines"]

  private static func value(_ text: String, of name: String) -> JSONValue {
    if numbers.contains(name), let number = JSONNumber(text: text) { return .number(number) }
    if truths.contains(name), text == "true" || text == "false" { return .bool(text == "true") }
    return .string(text)
  }
}
