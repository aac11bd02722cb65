import JSON

/// What a client can do, as far as it matters here.
struct ClientCapabilities: Sendable, Equatable {
  /// Whether it asks its person for confirmation.
  var hasForms = false
  /// Whether it polls tasks.
  var hasTasks = false

  static let tasksExtension = "io.modelcontextprotocol/tasks"

  init() {}

  /// - Parameter declared: `capabilities` of `initialize`, or `clientCapabilities` of a modern request.
  init(_ declared: JSONValue?) {
    if let elicitation = declared?["elicitation"]?.object {
      // Forms are the original kind; a client that names kinds names this one too.
      hasForms = elicitation.isEmpty || elicitation["form"] != nil
    }
    hasTasks = declared?["extensions"]?[Self.tasksExtension]?.object != nil
  }
}
