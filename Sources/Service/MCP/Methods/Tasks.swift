import AtelierProtocol
import Engine
import JSON
import JSONRPC

/// The tasks extension: a task is a generation, and its id is the generation's.
extension MCPService {
  /// The result of `tools/call` for a client that polls. The generation is on record already.
  func created(_ generation: Generation) -> JSONObject {
    var task = description(of: generation)
    task["resultType"] = "task"
    return task
  }

  /// `tasks/get`.
  func task(_ call: Call) async throws -> JSONObject {
    let generation = try await generation(of: call)
    var task = description(of: generation)
    if generation.state.isFinal { await interest.endTask(generation.generationId) }
    if task["status"] == "completed" {
      await starter.delivered(generation.generationId)
      var result = await shown(generation).result
      result["resultType"] = "complete"
      task["result"] = .object(result)
    }
    return task
  }

  /// `tasks/update`: no task asks for anything.
  func updateTask(_ call: Call) async throws -> JSONObject {
    _ = try await generation(of: call)
    return [:]
  }

  /// `tasks/cancel`: what has ended stays as it is.
  func cancelTask(_ call: Call) async throws -> JSONObject {
    let id = try await generation(of: call).generationId
    await interest.endTask(id)
    await cancel(id)
    return [:]
  }

  private func generation(of call: Call) async throws -> Generation {
    guard call.client.hasTasks else {
      throw ResponseError.missingCapability(["extensions": [ClientCapabilities.tasksExtension: [:]]])
    }
    guard let id = call.params["taskId"]?.string, (1...GenerationID.maximumLength).contains(id.unicodeScalars.count) else {
      throw ResponseError.malformed("taskId must be the id of a task.")
    }
    do {
      return try await engine.generation(GenerationID(rawValue: id), for: caller)
    } catch let error as AtelierError where error.kind == .notFound {
      throw ResponseError.malformed(error.message)
    }
  }

  private func description(of generation: Generation) -> JSONObject {
    var task: JSONObject = [
      "taskId": .string(generation.generationId.rawValue), "status": .string(Self.status(of: generation.state)),
      "createdAt": .string(generation.createdAt.text),
      "lastUpdatedAt": .string((generation.finishedAt ?? engine.surroundings.now()).text),
      // History keeps the result until it is deleted.
      "ttlMs": .null, "pollIntervalMs": 1_000,
    ]
    task["statusMessage"] = generation.progress.map { .string($0.message.text) }
    return task
  }

  /// A tool that could not do its work has completed: `failed` is for JSON-RPC errors only.
  private static func status(of state: GenerationState) -> String {
    switch state {
    case .queued, .running: "working"
    case .cancelled: "cancelled"
    case .succeeded, .partial, .failed, .interrupted, .expired: "completed"
    }
  }
}
