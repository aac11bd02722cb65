import AtelierProtocol
import Engine

/// `styles/list`: the headshot styles, each with the providers that serve it.
enum StylesListMethod: Method {
  static func answer(_ message: StylesList, for caller: Caller, by engine: Engine) async throws -> StylesList.Result {
    engine.listStyles()
  }
}
