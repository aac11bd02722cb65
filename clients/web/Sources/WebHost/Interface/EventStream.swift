import AtelierClient
import HTTPTypes
import Hummingbird
import JSON
import NIOCore

/// The progress of a generation as server-sent events, until it has ended.
///
/// Each progress has its `sequence` as id, so that a browser that connects again goes on where it was. The last event is
/// `finished`, with the generation. It survives a restart of the service.
enum EventStream {
  /// After so long without an event, a comment shows both sides that the connection is alive.
  private static let pause = Duration.seconds(15)
  /// How long a service that was lost may take to be back.
  private static let attempts = 40
  private static let attemptPause = Duration.milliseconds(250)

  private enum Event: Sendable {
    case progress(GenerationProgress)
    case finished(Generation)
    case failed(WebError)
    case nothing
  }

  static func answer(_ call: Call) async throws -> Response {
    let id = GenerationID(rawValue: try call.parameter("generation"))
    let stream = try call.host.streams.begin(for: call.account)
    // Whoever may not see it is told so in the status, not in an event.
    let now = try await call.studio.send(HistoryGet(generationId: id, account: call.account))
    let seen = call.request.headers[.lastEventID].flatMap { Int64($0) } ?? -1
    let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store", .accelBuffering: "no"]
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody { writer in
        let (events, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(64))
        let work = Task {
          await withTaskGroup { group in
            group.addTask {
              await follow(id, now, after: seen, call) { continuation.yield($0) }
              continuation.finish()
            }
            group.addTask {
              while (try? await Task.sleep(for: pause)) != nil { continuation.yield(.nothing) }
            }
            await group.next()
            group.cancelAll()
          }
        }
        defer { work.cancel() }
        for await event in events { try await writer.write(ByteBuffer(string: text(of: event, call))) }
        try await writer.finish(nil)
        // Counted for as long as this answer is held.
        withExtendedLifetime(stream) {}
      })
  }

  private static func follow(
    _ id: GenerationID, _ now: Generation, after seen: Int64, _ call: Call, _ tell: @Sendable (Event) -> Void
  ) async {
    if now.state.isFinal { return tell(.finished(now)) }
    var failure = WebError.serviceLost
    for _ in 0..<attempts {
      do {
        let studio = try await call.studio
        let handle = await call.host.watches.join(id, of: call.account, studio, call.language)
        defer { Task { await call.host.watches.leave(id, call.language) } }
        for try await progress in handle.progress where progress.sequence > seen { tell(.progress(progress)) }
        do {
          return tell(.finished(try await handle.result))
        } catch let error as AtelierError where error.clientKind != .connectionLost {
          // How it failed is in the generation.
          return tell(.finished(try await studio.send(HistoryGet(generationId: id, account: call.account))))
        }
      } catch let error as AtelierError where error.clientKind == .connectionLost {
        await call.host.watches.forget(id, call.language)
        failure = WebError(error)
      } catch let error as AtelierError {
        return tell(.failed(WebError(error)))
      } catch {
        return
      }
      guard (try? await Task.sleep(for: attemptPause)) != nil else { return }
    }
    tell(.failed(failure))
  }

  private static func text(of event: Event, _ call: Call) -> String {
    switch event {
    case .nothing: ":\n\n"
    case .progress(let progress): "id: \(progress.sequence)\nevent: progress\n\(data(try? call.json(progress)))\n"
    case .finished(let generation): "event: finished\n\(data(try? call.json(generation)))\n"
    case .failed(let error): "event: failed\n\(data(call.host.told(error.body(at: call.host.surroundings.now()))))\n"
    }
  }

  /// JSON on one line: it has no line breaks.
  private static func data(_ value: JSONValue?) -> String { "data: \((value ?? .null).serializedText)\n" }
}

extension HTTPField.Name {
  // The names are tokens, so there is one for each of them; an impossible one would send no header.
  static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .eTag
  static let accelBuffering = HTTPField.Name("X-Accel-Buffering") ?? .eTag
}
