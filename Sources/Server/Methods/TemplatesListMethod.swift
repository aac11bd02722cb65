import AtelierProtocol
import Engine

/// `templates/list`: a page of the library, most used first.
enum TemplatesListMethod: Method {
  static func answer(
    _ message: TemplatesList, for caller: Caller, by engine: Engine
  ) async throws -> TemplatesList.Result {
    try await engine.listTemplates(message, for: caller)
  }
}
