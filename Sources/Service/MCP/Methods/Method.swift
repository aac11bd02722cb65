import JSON
import JSONRPC

/// A method of MCP.
struct Method: Sendable {
  /// The eras that have the method.
  enum Availability: Sendable { case both, legacy, modern }

  /// How long a client of the modern era may keep a result.
  enum Caching: Sendable {
    /// The method's results say nothing of it.
    case unstated
    /// The same for everybody, for an hour.
    case shared
    /// Not at all.
    case none
    /// For a day, by this client: pictures never change.
    case ownDay
  }

  enum Work: Sendable {
    /// Known at once: the engine is not used, so nothing is waited for.
    case known(@Sendable (Call) throws -> JSONObject)
    case task(@Sendable (Call, MCPService) async throws -> JSONObject)
  }

  let name: String
  var availability = Availability.both
  var caching = Caching.unstated
  let work: Work

  func exists(in era: Era) -> Bool {
    switch availability {
    case .both: true
    case .legacy: !era.isModern
    case .modern: era.isModern
    }
  }

  /// The result as its era writes it.
  func complete(_ result: JSONObject, in era: Era) -> JSONValue {
    guard era.isModern else { return .object(result) }
    var result = result
    if result["resultType"] == nil { result["resultType"] = "complete" }
    switch caching {
    case .unstated: break
    case .shared: (result["ttlMs"], result["cacheScope"]) = (3_600_000, "public")
    case .none: (result["ttlMs"], result["cacheScope"]) = (0, "private")
    case .ownDay: (result["ttlMs"], result["cacheScope"]) = (86_400_000, "private")
    }
    result["_meta"] = ["io.modelcontextprotocol/serverInfo": ServerDescription.info]
    return .object(result)
  }
}

extension Method {
  /// Every method except `initialize`, which changes the session.
  static let all: [Method] = [
    Method(name: "ping", availability: .legacy, work: .known { _ in [:] }),
    Method(
      name: "server/discover", availability: .modern, caching: .shared, work: .known { _ in ServerDescription.discovered }),
    onePage("tools/list", ["tools": .array(Tool.all.map(\.json))]),
    Method(name: "tools/call", work: .task { try await $1.callTool($0) }),
    Method(name: "resources/list", caching: .none, work: .task { try await $1.listPictures($0) }),
    onePage("resources/templates/list", ["resourceTemplates": [PictureAddress.template]]),
    Method(name: "resources/read", caching: .ownDay, work: .task { try await $1.readPicture($0) }),
    onePage("prompts/list", ["prompts": .array(Prompt.all.map(\.json))]),
    Method(name: "prompts/get", work: .known { try Prompt.get($0) }),
    Method(name: "completion/complete", work: .task { try await $1.complete($0) }),
    Method(name: "tasks/get", availability: .modern, work: .task { try await $1.task($0) }),
    Method(name: "tasks/update", availability: .modern, work: .task { try await $1.updateTask($0) }),
    Method(name: "tasks/cancel", availability: .modern, work: .task { try await $1.cancelTask($0) }),
  ]

  /// A list that is the same for everybody and has one page.
  private static func onePage(_ name: String, _ list: JSONObject) -> Method {
    Method(
      name: name, caching: .shared,
      work: .known { call in
        guard try call.cursor() == nil else { throw ResponseError.malformed("The list has one page: leave cursor out.") }
        return list
      })
  }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  static func named(_ name: String) -> Method? { byName[name] }
}
