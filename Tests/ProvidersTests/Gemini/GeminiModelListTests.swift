import AtelierProtocol
import CurlHTTP
import GeminiSimulator
import JSON
import Testing

@testable import Providers

@Suite("The models a key may use")
struct GeminiModelListTests {
  private func model(_ name: String, _ methods: [String] = ["generateContent"]) -> JSONValue {
    ["name": .string("models/\(name)"), "supportedGenerationMethods": .array(methods.map(JSONValue.string))]
  }

  @Test("the models a key may use are those that make pictures, the default first")
  func simulated() async throws {
    try await withSimulator { simulator in
      let models = try await GeminiNetwork.provider(simulator).fetchModels()
      #expect(
        models == [
          "gemini-nano-banana-2.1", "gemini-2.5-flash-image", "gemini-3-pro-image", "gemini-3.1-flash-image",
          "gemini-3.1-flash-lite-image", "nano-banana-pro-preview",
        ])
      let record = try #require(simulator.requests.first)
      #expect(record.operation == .listModels)
      #expect(record.method == "GET")
    }
  }

  @Test("the list of models is read page by page")
  func pages() async throws {
    let pages: [JSONValue] = [
      [
        "models": [model("a-image"), model("gemini-2.5-flash"), model("b-image", ["predict"])],
        "nextPageToken": "x &/ü=",
      ],
      [
        "models": [model("a-image"), 7, ["name": "models/../image"], model("gemini-nano-banana-2.1")],
        "nextPageToken": "2",
      ],
      ["nextPageToken": ""],
    ]
    let queries = ["pageSize=1000", "pageSize=1000&pageToken=x%20%26%2F%C3%BC%3D", "pageSize=1000&pageToken=2"]
    let stub = GeminiStub { request in
      guard let index = queries.firstIndex(where: { request.url.hasSuffix("/v1beta/models?\($0)") }) else {
        return HTTPResponse(status: 400, headers: [], body: [])
      }
      return HTTPResponse(status: 200, headers: [], body: pages[index].serialized())
    }
    let models = try await GeminiProvider(http: stub, keys: GeminiKeys()).fetchModels()
    #expect(models == ["gemini-nano-banana-2.1", "a-image"])
    #expect(stub.requests.allSatisfy { !$0.url.contains(GeminiTest.key) && $0.body == nil })
  }

  @Test("the list of models is not read for ever")
  func endless() async throws {
    let stub = GeminiStub(["models": [model("a-image")], "nextPageToken": "again"])
    #expect(try await GeminiProvider(http: stub, keys: GeminiKeys()).fetchModels() == ["a-image"])
    #expect(stub.requests.count == 20)
  }

  @Test("the models a key may use are not known when the list cannot be had", arguments: [
    (400, GeminiFailureTests.keyInvalid, ErrorKind.invalidApiKey), (200, "<html>", .providerError),
    (504, "", .providerTimeout), (503, "", .providerUnavailable),
  ])
  func failures(status: Int, body: String, kind: ErrorKind) async throws {
    let stub = GeminiStub { _ in HTTPResponse(status: status, headers: [], body: Array(body.utf8)) }
    let provider = GeminiProvider(http: stub, keys: GeminiKeys())
    let error = await #expect(throws: AtelierError.self) { try await provider.fetchModels() }
    #expect(error?.kind == kind)
    #expect(error?.details["mayHaveBeenCharged"] == nil)
  }
}
