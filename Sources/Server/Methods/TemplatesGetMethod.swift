import AtelierProtocol
import Engine

/// `templates/get`: one hairstyle of the library.
enum TemplatesGetMethod: Method {
  static func answer(_ message: TemplatesGet, for caller: Caller, by engine: Engine) async throws -> Template {
    try await engine.template(message)
  }
}
