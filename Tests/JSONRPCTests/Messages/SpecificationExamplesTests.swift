import Testing

@testable import JSON
@testable import JSONRPC

/// The examples of JSON-RPC 2.0 section 7, with parameters by name where the specification has them by position.
@Suite("The examples of the JSON-RPC 2.0 specification")
struct SpecificationExamplesTests {
  private struct Calculator: ConnectionHandler {
    func receive(_ request: Request, on connection: Connection) -> Disposition {
      switch request.method {
      case "subtract":
        guard let minuend = request.params["minuend"]?.int64, let subtrahend = request.params["subtrahend"]?.int64
        else {
          return .answered(
            .failure(.invalidParams(path: "", expected: "two numbers", message: "Two numbers are needed.")))
        }
        return .task { .number(JSONNumber(minuend - subtrahend)) }
      case "get_data": return .answered(.success(["hello", 5]))
      default: return .answered(.failure(.methodNotFound(request.method)))
      }
    }
  }

  @Test(
    "the examples of the specification are answered as it says",
    arguments: [
      (
        #"{"jsonrpc":"2.0","method":"subtract","params":{"subtrahend":23,"minuend":42},"id":3}"#,
        #"{"jsonrpc":"2.0","result":19,"id":3}"#
      ),
      (
        #"{"jsonrpc":"2.0","method":"subtract","params":{"minuend":42,"subtrahend":23},"id":4}"#,
        #"{"jsonrpc":"2.0","result":19,"id":4}"#
      ),
      (#"{"jsonrpc":"2.0","method":"update","params":{"a":1}}"#, nil),
      (#"{"jsonrpc":"2.0","method":"foobar"}"#, nil),
      (#"{"jsonrpc":"2.0","method":"foobar","id":"1"}"#, #"{"jsonrpc":"2.0","error":{"code":-32601},"id":"1"}"#),
      (
        #"{"jsonrpc":"2.0","method":"foobar,"params":"bar","baz]"#,
        #"{"jsonrpc":"2.0","error":{"code":-32700},"id":null}"#
      ),
      (#"{"jsonrpc":"2.0","method":1,"params":"bar"}"#, #"{"jsonrpc":"2.0","error":{"code":-32600},"id":null}"#),
      (
        #"[{"jsonrpc":"2.0","method":"sum","params":{},"id":"1"},{"jsonrpc":"2.0","method"]"#,
        #"{"jsonrpc":"2.0","error":{"code":-32700},"id":null}"#
      ),
      ("[]", #"{"jsonrpc":"2.0","error":{"code":-32600},"id":null}"#),
      ("[1]", #"[{"jsonrpc":"2.0","error":{"code":-32600},"id":null}]"#),
      (
        "[1,2,3]",
        "[" + Array(repeating: #"{"jsonrpc":"2.0","error":{"code":-32600},"id":null}"#, count: 3).joined(separator: ",")
          + "]"
      ),
      (
        #"[{"jsonrpc":"2.0","method":"subtract","params":{"minuend":42,"subtrahend":23},"id":"2"},{"jsonrpc":"2.0","method":"notify_hello","params":{"a":7}},{"foo":"boo"},{"jsonrpc":"2.0","method":"foo.get","params":{"name":"myself"},"id":"5"},{"jsonrpc":"2.0","method":"get_data","id":"9"}]"#,
        #"[{"jsonrpc":"2.0","result":19,"id":"2"},{"jsonrpc":"2.0","error":{"code":-32600},"id":null},{"jsonrpc":"2.0","error":{"code":-32601},"id":"5"},{"jsonrpc":"2.0","result":["hello",5],"id":"9"}]"#
      ),
      (#"[{"jsonrpc":"2.0","method":"notify_sum","params":{"a":1}},{"jsonrpc":"2.0","method":"notify_hello"}]"#, nil),
    ] as [(String, String?)], [Framing.lines, .headers])
  func examples(example: (call: String, answer: String?), framing: Framing) async throws {
    let (mine, theirs) = InMemoryTransport.pair()
    let peer = try TestPeer(theirs, framing: framing)
    let connection = Connection(transport: mine, framing: .fixed(framing), handler: Calculator())
    switch framing {
    case .lines: try peer.send(example.call + "\n")
    case .headers: try peer.send("Content-Length: \(example.call.utf8.count)\r\n\r\n\(example.call)")
    }
    peer.closeInput()
    _ = await connection.run()
    await connection.finish()
    let answers = await peer.rest()
    let expected = try example.answer.map { [try JSONValue(parsing: $0.utf8)] } ?? []
    #expect(Set(answers.map(Self.normalised)) == Set(expected.map(Self.normalised)))
    #expect(answers.count == expected.count)
  }

  /// Without the words of errors, and without the order in a batch, which the specification leaves open.
  private static func normalised(_ answer: JSONValue) -> JSONValue {
    if let batch = answer.array {
      return .array(batch.map(normalised).sorted { $0.serializedText < $1.serializedText })
    }
    guard var object = answer.object else { return answer }
    if let code = object["error"]?["code"] { object["error"] = ["code": code] }
    return .object(JSONObject(members: object.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
  }
}
