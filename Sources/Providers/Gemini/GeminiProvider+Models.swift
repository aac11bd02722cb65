import AtelierProtocol
import Credentials
import CurlHTTP
import JSONRPC

extension GeminiProvider {
  /// The longest that one page of the list may take, in milliseconds.
  private static let listLimitMs = 30_000
  /// A list that goes on after so many pages is no list of models.
  private static let maximumPages = 20

  /// Those the key may use that can make pictures (GEMINI 1).
  public func fetchModels() async throws -> [String] {
    let key = try await key()
    var names: [String] = []
    var token: String?
    for _ in 0..<Self.maximumPages {
      let page = try await page(after: token, key)
      names += page.names.filter { !names.contains($0) }
      token = page.next
      if token == nil { break }
    }
    return names.filter { $0 == settings.model } + names.filter { $0 != settings.model }
  }

  private func page(after token: String?, _ key: APIKey) async throws -> (names: [String], next: String?) {
    let query = "pageSize=1000" + (token.map { "&pageToken=\(Self.escaped($0))" } ?? "")
    let call = HTTPRequest(
      .get, "\(settings.url("models"))?\(query)", headers: headers(key),
      limits: settings.limits(totalMs: Self.listLimitMs))
    let list: JSONObject
    do {
      let reading = GeminiReading(key: key, model: settings.model, sentBytes: 0, hasPictures: false)
      list = try reading.success(try await perform(call))
    } catch var error as AtelierError {
      // A list costs nothing, whatever became of it.
      error.details["mayHaveBeenCharged"] = nil
      throw error
    }
    let models = list["models"]?.array ?? []
    let next = list["nextPageToken"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    return (models.compactMap(Self.name), next)
  }

  /// - Returns: nil for a model that makes no pictures, and for a name that could not be asked.
  private static func name(of model: JSONValue) -> String? {
    let methods = model["supportedGenerationMethods"]?.array?.compactMap(\.string) ?? []
    guard methods.contains("generateContent"), let full = model["name"]?.string,
      let name = GeminiModel(checking: full)?.name
    else { return nil }
    return GeminiModel.makesPictures(name) ? name : nil
  }

  /// As RFC 3986 writes what may stand for something else.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for byte in text.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      if isPlain || "-._~".utf8.contains(byte) {
        escaped.unicodeScalars.append(scalar)
      } else {
        escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return escaped
  }
}
