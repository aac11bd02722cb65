import CurlHTTP
import JSON
import Support
import Testing

@testable import Providers

@Suite("The field that a server does not take")
struct OpenAIObjectionTests {
  private static func failure(_ message: String, param: String? = nil, status: Int = 400) -> ServerRefusal {
    var error: JSONObject = ["message": .string(message)]
    error["param"] = param.map(JSONValue.string)
    let body: JSONValue = ["error": .object(error)]
    return ServerRefusal(HTTPResponse(status: status, headers: [], body: body.serialized()))
  }

  private static func objection(_ message: String, param: String? = nil, prompt: String = "a lighthouse") -> OpenAIField? {
    failure(message, param: param).objection(to: OpenAIField.allCases, prompt: prompt)
  }

  @Test(
    "the refused field is the one it names as the parameter at fault, and no other, whatever its sentence says",
    arguments: [
      ("seed", OpenAIField.seed), ("stream", .stream), ("response_format", .responseFormat), ("prompt", nil),
      ("image", nil), ("seeds", nil),
    ] as [(String, OpenAIField?)])
  func parameter(name: String, field: OpenAIField?) {
    for message in ["", "Unknown parameter: 'stream'.", "seed is not supported"] {
      #expect(Self.objection(message, param: name) == field)
    }
  }

  @Test("the refused field is the one that its sentence refuses", arguments: [
    ("Unknown parameter: 'seed'.", OpenAIField.seed), ("Unrecognized request argument supplied: seed", .seed),
    ("The 'seed' parameter is not supported with this model.", .seed), ("`seed` is not supported", .seed),
    ("seed isn't supported here", .seed), ("json: unknown field \"seed\"", .seed), ("Unsupported option seed", .seed),
    ("extra fields not permitted: seed", .seed), ("unexpected keyword argument 'seed'", .seed),
    ("Invalid parameter: stream", .stream), ("Streaming is not supported.", .stream),
    ("Streaming is only supported for multi-stage models.", .stream), ("This server does not support streaming.", .stream),
    ("This model doesn't support seed.", .seed), ("stream not supported", .stream),
    ("response_format must be url", .responseFormat), ("Unknown: INPUT_FIDELITY", .inputFidelity),
    ("partial_images needs stream", .partialImages),
  ])
  func sentence(message: String, field: OpenAIField) {
    #expect(Self.objection(message) == field)
  }

  @Test(
    "the refused field is none where the sentence only quotes what was asked for, or speaks of something else",
    arguments: [
    ("Your prompt 'a flower that grows from a seed' was rejected.", "a flower that grows from a seed"),
    ("Invalid prompt: \"unsupported seed by a stream\"", "an unsupported seed by a stream in spring"),
    ("Invalid prompt: a boat on the stream is not supported…", "a boat on the stream, painted"),
    ("The prompt is too long: … stream is not supported …", "stream is not supported"), ("'seed' is not supported", "seed"),
    ("Prompt rejected: write response_format on the wall", "write response_format on the wall"),
    ("The seed must be smaller.", "a lighthouse"), ("Bad request near the stream", "a lighthouse"),
    ("Streams and seeds are not supported", "a lighthouse"), ("The size is not supported.", "seed"), ("", "seed"),
    ("upstream is not available", "a lighthouse"), ("stream", "a lighthouse"),
  ])
  func quoted(message: String, prompt: String) {
    #expect(Self.objection(message, prompt: prompt) == nil)
  }

  @Test(
    "the refused field is never found in a sentence that is the prompt and nothing of the server's",
    arguments: 0..<200 as Range<UInt64>)
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let words = [
      "a", "seed", "stream", "streaming", "unknown", "unsupported", "parameter", "is", "not", "supported", "field", "the",
      "response_format", "extra", "invalid", "é", "—",
    ]
    let prompt = (0..<Int.random(in: 1...30, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
    let start = Int.random(in: 0..<prompt.count, using: &random)
    let excerpt = prompt[start...].prefix(Int.random(in: 2...30, using: &random))
    guard excerpt.count > 1 else { return }
    let message = "Rejected: “\(excerpt.joined(separator: " "))”"
    #expect(Self.objection(message, prompt: prompt.joined(separator: " ")) == nil, "seed \(seed): \(message)")
  }

  @Test(
    "the refused field is named in a failure of the server too, but there it must be called unknown",
    arguments: [500, 501, 502, 503])
  func serverFails(status: Int) {
    func objection(_ message: String, param: String? = nil) -> OpenAIField? {
      Self.failure(message, param: param, status: status).objection(to: OpenAIField.allCases, prompt: "a seed")
    }
    #expect(objection("Unknown parameter: 'seed'.", param: "seed") == .seed)
    #expect(objection("__call__() got an unexpected keyword argument 'response_format'") == .responseFormat)
    #expect(objection("TypeError: unexpected keyword argument 'seed'", param: "None") == .seed)
    #expect(objection("the seed option is not supported") == .seed)
    for message in [
      "The image could not be stored.", "seed 7 failed", "response_format b64_json: out of memory", "",
      "unknown stream error", "Streaming is not supported", "unexpected end of input stream", "unexpected input stream",
      "unsupported key stream", "invalid argument: stream", "'seed' is unknown", "stream not available",
    ] {
      #expect(objection(message) == nil && objection(message, param: "seed") == nil, "\(message)")
    }
  }

  @Test(
    "the refused field is found in the message where the member for its name says nothing, or names the whole body",
    arguments: [
      "None", "null", "N/A", "", "undefined",
    ])
  func parameterThatSaysNothing(param: String) {
    #expect(Self.objection("Unknown parameter: 'seed'.", param: param) == .seed)
    let body = #"{"detail":[{"loc":["body"],"msg":"extra fields not permitted: seed","type":"value_error"}]}"#
    let failure = ServerRefusal(HTTPResponse(status: 422, headers: [], body: Array(body.utf8)))
    #expect(failure.objection(to: OpenAIField.allCases, prompt: "") == .seed)
  }

  @Test("the refused field is found in words alone, and whatever the status of the refusal", arguments: [
    400, 403, 404, 405, 406, 409, 413, 415, 422,
  ])
  func anywhere(status: Int) {
    for body in [
      "Unknown parameter: 'seed'.", "upstream error: Unknown parameter: 'seed'.", #"{"message":"seed is not supported"}"#,
      #""seed is not supported""#, #"{"error":"Unrecognized request argument supplied: seed"}"#,
      "<html><head><title>Bad Request</title></head><body>Unknown parameter: seed</body></html>",
      #"{"error":{"message":"litellm.BadRequestError: {\"error\":{\"message\":\"Unknown parameter: 'seed'.\"}}. x"}}"#,
    ] {
      let failure = ServerRefusal(HTTPResponse(status: status, headers: [], body: Array(body.utf8)))
      #expect(failure.objection(to: OpenAIField.allCases, prompt: "") == .seed, "\(body)")
    }
  }

  @Test("the refused field is never found in an answer with a success status, whose work may have been paid for")
  func inAnswer() {
    for status in [400, 422, 500] {
      let error: JSONValue = [
        "error": [
          "message": "Unknown parameter: 'seed'.", "param": "seed", "code": "unknown_parameter",
          "status": .number(JSONNumber(status)),
        ]
      ]
      let failure = ServerRefusal(inAnswer: error)
      #expect(failure.status == status && failure.objection(to: OpenAIField.allCases, prompt: "") == nil)
    }
  }

  @Test(
    "the refused field is looked for only in answers that refuse a request as it is",
    arguments: [401, 402, 407, 408, 429, 499, 504, 524])
  func status(status: Int) {
    let failure = Self.failure("Unknown parameter: 'seed'.", param: "seed", status: status)
    #expect(failure.objection(to: OpenAIField.allCases, prompt: "") == nil)
  }
}
