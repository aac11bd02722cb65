import Foundation
import GeminiSimulator
import JSON
import Support
import Testing

extension Faults {
  /// Places over the whole service: a model in the simulator, lookups by the host or by the simulator's geocoder.
  @Suite("A request for places")
  struct PlacesTests {
    private static let provider = ["gemini", "openai"]

    private static func places(_ prompt: String = "Top coffee shops in Austin", _ members: JSONObject = [:]) -> JSONValue {
      var params: JSONObject = ["recipe": "places", "prompt": .string(prompt), "progress": false]
      for (name, value) in members { params[name] = value }
      return .object(params)
    }

    /// A service whose host answers lookups, or whose operator has a geocoder.
    private static func service(_ cloud: CloudScene, geocoder: Bool = false) async throws -> ServiceChild {
      let configuration: JSONValue = ["geocoder": ["baseUrl": .string(cloud.simulator.baseURL), "requestsPerSecond": 1000]]
      let path = try cloud.scene.folder.write("places.json", configuration.serialized())
      let service = try cloud.service(geocoder ? ["--config", path] : [])
      if !geocoder { _ = try await service.call("initialize", ["capabilities": ["locationSearch": true]]) }
      return service
    }

    /// The next request of the service.
    private static func lookup(_ number: Int, of service: ServiceChild) async throws -> JSONValue {
      let find: @Sendable (ServiceOutput) -> JSONValue? = { output in
        output.messages.first { $0["method"] == "location/search" && $0["id"]?.int64 == Int64(number) }
      }
      return try #require(find(try await service.output.wait { $0.isAtEnd || find($0) != nil }))
    }

    /// Answers a lookup as a host that knows every place it is asked for in Austin.
    private static func answer(_ lookup: JSONValue, to service: ServiceChild) {
      let name = (lookup["params"]?["query"]?.string ?? "").prefix { $0 != "," }
      let place: JSONValue = ["name": .string(String(name)), "streetAddress1": "1 Main St", "city": "Austin"]
      let answer: JSONValue = ["jsonrpc": "2.0", "id": lookup["id"] ?? .null, "result": ["places": [place]]]
      service.write(answer.serialized() + [10])
    }

    @Test("a request for places has the list of the lookups that the host answers", arguments: provider)
    func host(provider: String) async throws {
      let cloud = try await CloudScene()
      let service = try await Self.service(cloud)
      let request = service.ask("generate", Self.places("Top coffee shops in Austin", ["provider": .string(provider)]))
      for number in 1...5 { Self.answer(try await Self.lookup(number, of: service), to: service) }
      let result = try await service.answer(to: request)["result"]
      #expect(result?["state"] == "succeeded")
      #expect(result?["places"]?.array?.count == 5 && result?["dropped"]?["count"] == 0)
      #expect(cloud.simulator.requests.count == 3)
      #expect(try await service.finished() == .exited(0))
      try cloud.scene.expectOrder(processes: 0)
      await cloud.simulator.stop()
    }

    @Test("a request for places has the list of the geocoder's lookups, in each language", arguments: [
      ("Top coffee shops in Austin", "en"), ("Los mejores cafés de la Ciudad de México", "es-MX"), ("東京の喫茶店", "ja-JP"),
      ("北京的小吃店", "zh-CN"), ("दिल्ली के कैफ़े", "hi-IN"),
    ])
    func geocoder(prompt: String, language: String) async throws {
      let cloud = try await CloudScene()
      let service = try await Self.service(cloud, geocoder: true)
      let params = Self.places(prompt, ["provider": "gemini", "language": .string(language)])
      let result = try await service.call("generate", params)["result"]
      #expect(result?["places"]?.array?.count == 5, "\(result?.text ?? "")")
      #expect(result?["places"]?.array?.allSatisfy { $0["source"] == "geocoder" } == true)
      #expect(cloud.simulator.requests.count { $0.operation == .geocode } == 5)
      #expect(cloud.simulator.requests.first?.facts?.prompt.contains("the language \(language) ") == true)
      #expect(try await service.finished() == .exited(0))
      await cloud.simulator.stop()
    }

    @Test("a request for places waits for slow lookups, and is cancelled during one that never ends")
    func slowLookups() async throws {
      let cloud = try await CloudScene()
      let service = try await Self.service(cloud, geocoder: true)
      cloud.simulator.always(ScenarioStep(model: "nominatim", latencyMilliseconds: 300))
      let result = try await service.call("generate", Self.places("coffee in Austin", ["provider": "gemini"]))["result"]
      #expect(result?["places"]?.array?.count == 5, "\(result?.text ?? "")")
      cloud.simulator.always(ScenarioStep(Fault(name: "hold"), model: "nominatim"))
      let before = cloud.simulator.requests.count
      let request = service.ask("generate", Self.places("北京的小吃店", ["provider": "gemini"]))
      // The model's first turn, and then its lookups.
      try await cloud.simulator.waitForRequest(before + 2)
      service.write(Array(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(request)}}"#.utf8) + [10])
      #expect(try await service.answer(to: request)["result"]?["state"] == "cancelled")
      #expect(try await service.finished() == .exited(0))
      await cloud.simulator.stop()
    }

    @Test("a request for places waits for its provider, and its list is found by the next process")
    func queued() async throws {
      let geocoder = try await GeminiSimulator.start(SimulatorOptions())
      let scene = try await QueueScene(geocoder: geocoder.baseURL)
      let first = try scene.service()
      let members: JSONObject = ["provider": "gemini", "whenOffline": "queue", "detach": true, "progress": true]
      let accepted = try await first.call("generate", Self.places("Top coffee shops in Austin", members))
      let id = try #require(accepted["result"]?["generationId"]?.string, "\(accepted.text)")
      _ = try await first.notification("generation/progress") { $0["message"] == "Waiting for Google Gemini…" }
      #expect(try await first.finished() == .exited(0))
      #expect(try scene.states() == [id: "queued"])
      try await scene.switchOn()
      let second = try scene.service()
      let result = try await second.call("generation/watch", ["generationId": .string(id)])["result"]
      #expect(result?["places"]?.array?.count == 5, "\(result?.text ?? "")")
      #expect(try await second.finished() == .exited(0))
      await scene.switchOff()
      await geocoder.stop()
    }

    @Test("a request for places drops what the model invents, and survives models that call wrongly", arguments: [
      ("tools:invented", 3, 2), ("tools:prose", 5, 0), ("tools:unknown-function", 5, 0), ("tools:wrong-arguments", 5, 0),
      ("tools:one-by-one", 5, 0), ("tools:no-lookups", 5, 0), ("tools:21-turns", 5, 0), ("tools:endless-loop", 1, 0),
    ])
    func faults(fault: String, found: Int, dropped: Int) async throws {
      for provider in Self.provider {
        let cloud = try await CloudScene()
        let service = try await Self.service(cloud, geocoder: true)
        let params = Self.places("Top coffee shops in Austin [[fault:\(fault)]]", ["provider": .string(provider)])
        let answer = try await service.call("generate", params)
        let isEndless = ["tools:21-turns", "tools:endless-loop"].contains(fault)
        #expect(answer["result"]?["state"] == (isEndless ? "partial" : "succeeded"), "\(provider): \(answer.text)")
        #expect(answer["result"]?["places"]?.array?.count == found, "\(provider): \(answer.text)")
        #expect(answer["result"]?["dropped"]?["count"]?.int64 == Int64(dropped))
        if isEndless { #expect(cloud.simulator.requests.count { $0.operation.isGenerating } == 20, "there is no 21st turn") }
        #expect(try await service.finished() == .exited(0))
        await cloud.simulator.stop()
      }
    }

    @Test("a request for places fails without a list and without a hit", arguments: [
      ("tools:no-list", "provider_error"), ("tools:empty-list", "no_places_found"), ("lookup:none", "no_places_found"),
    ])
    func failures(fault: String, kind: String) async throws {
      let cloud = try await CloudScene()
      let service = try await Self.service(cloud, geocoder: true)
      let model = fault.hasPrefix("lookup") ? "nominatim" : nil
      cloud.simulator.always(ScenarioStep(Fault(name: fault), model: model))
      let answer = try await service.call("generate", Self.places("coffee in Austin", ["provider": "gemini"]))
      #expect(answer["error"]?["data"]?["kind"]?.string == kind, "\(answer.text)")
      #expect(try await service.finished() == .exited(0))
      await cloud.simulator.stop()
    }

    @Test("a request for places does not take the place that a lookup found for the one that was asked about")
    func otherPlace() async throws {
      let cloud = try await CloudScene()
      let service = try await Self.service(cloud, geocoder: true)
      cloud.simulator.always(ScenarioStep(Fault(name: "lookup:other"), model: "nominatim"))
      let result = try await service.call("generate", Self.places("coffee in Austin", ["provider": "gemini"]))["result"]
      // The model lists what was found five times: it is a place, once.
      #expect(result?["places"]?.array?.compactMap { $0["name"]?.string } == ["Somewhere Else Entirely"])
      #expect(result?["dropped"]?["count"] == 4)
      #expect(try await service.finished() == .exited(0))
      await cloud.simulator.stop()
    }

    @Test("a request for places is cancelled between two lookups: the host is told, and nothing more is sent")
    func cancel() async throws {
      let cloud = try await CloudScene()
      let service = try await Self.service(cloud)
      let request = service.ask(
        "generate", Self.places("coffee in Austin [[fault:tools:one-by-one]]", ["provider": "gemini"]))
      Self.answer(try await Self.lookup(1, of: service), to: service)
      let second = try await Self.lookup(2, of: service)
      service.write(Array(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(request)}}"#.utf8) + [10])
      #expect(try await service.answer(to: request)["result"]?["state"] == "cancelled")
      _ = try await service.notification("$/cancelRequest") { $0["id"] == second["id"] }
      let sent = cloud.simulator.requests.count
      Self.answer(second, to: service)
      #expect(try await service.finished() == .exited(0))
      #expect(sent == 2 && cloud.simulator.requests.count == 2)
      try cloud.scene.expectOrder(processes: 0)
      await cloud.simulator.stop()
    }

    @Test("a request for places asks the geocoder, with a warning, when the host answers in another form", arguments: [
      nil, [], ["places": 5], ["places": [["city": "Austin"]]],
      ["places": [["name": "Houndstooth Coffee", "coordinate": ["latitude": 91, "longitude": 0]]]],
      ["places": [["name": "Houndstooth Coffee", "coordinate": ["latitude": "30", "longitude": "1"]]]],
    ] as [JSONValue])
    func otherForm(result: JSONValue) async throws {
      let cloud = try await CloudScene()
      let service = try await Self.service(cloud, geocoder: true)
      _ = try await service.call("initialize", ["capabilities": ["locationSearch": true]])
      let request = service.ask("generate", Self.places("Top coffee shops in Austin", ["provider": "gemini"]))
      for number in 1...5 {
        let lookup = try await Self.lookup(number, of: service)
        let answer: JSONValue = ["jsonrpc": "2.0", "id": lookup["id"] ?? .null, "result": result]
        service.write(answer.serialized() + [10])
      }
      let answer = try await service.answer(to: request)["result"]
      #expect(answer?["places"]?.array?.compactMap { $0["source"]?.string } == Array(repeating: "geocoder", count: 5))
      #expect(answer?["warnings"]?.array?.compactMap { $0["kind"]?.string } == ["lookup_failed"])
      #expect(try await service.finished() == .exited(0))
      await cloud.simulator.stop()
    }

    @Test("a request for places takes the first twenty places of an answer, however many there are, and each answer once")
    func manyAnswers() async throws {
      let cloud = try await CloudScene()
      let service = try await Self.service(cloud)
      let request = service.ask("generate", Self.places("Top coffee shops in Austin", ["provider": "gemini"]))
      // The lookups of one turn come in any order.
      var last = ""
      for number in 1...5 {
        let lookup = try await Self.lookup(number, of: service)
        let name = (lookup["params"]?["query"]?.string ?? "").prefix { $0 != "," }
        let others = (0..<2_000).map { JSONValue.object(["name": .string("Other \($0)"), "city": "Austin"]) }
        let right: JSONValue = ["name": .string(String(name)), "city": "Austin"]
        last = String(name)
        // Of the last lookup the right one is the twenty-first.
        let places = number < 5 ? [right] + others : others.prefix(20) + [right]
        for id in [lookup["id"] ?? .null, lookup["id"] ?? .null, 999, .null] as [JSONValue] {
          let answer: JSONValue = [
            "jsonrpc": "2.0", "id": id, "result": ["places": .array(Array(id == 999 ? places.prefix(1) : places[...]))],
          ]
          service.write(answer.serialized() + [10])
        }
      }
      let answer = try await service.answer(to: request)["result"]
      #expect(answer?["places"]?.array?.contains { $0["name"]?.string == last } == false)
      #expect(answer?["places"]?.array?.isEmpty == false)
      #expect(answer?["warnings"] == [])
      #expect(try await service.finished() == .exited(0))
      await cloud.simulator.stop()
    }

    @Test("a request for places killed in the middle is interrupted, and its credit is back")
    func kill() async throws {
      let cloud = try await CloudScene()
      let service = try await Self.service(cloud)
      _ = service.ask("generate", Self.places("coffee in Austin", ["provider": "gemini", "account": "anna"]))
      Self.answer(try await Self.lookup(1, of: service), to: service)
      _ = try await service.killed()
      let next = try await Self.service(cloud)
      let entries = try await next.call("history", ["account": "anna"])["result"]?["entries"]?.array
      #expect(entries?.first?["state"] == "interrupted" && entries?.count == 1)
      let balance = try await next.call("credits/balance", ["account": "anna"])["result"]
      #expect(balance?["available"] == 1 && balance?["held"] == 0, "\(balance?.text ?? "")")
      #expect(try await next.finished() == .exited(0))
      try cloud.scene.expectOrder(processes: 0)
      await cloud.simulator.stop()
    }
  }
}
