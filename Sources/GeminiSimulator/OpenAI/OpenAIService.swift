import JSONRPC

/// Answers requests of OpenAI's Images API.
struct OpenAIService: Sendable {
  let options: SimulatorOptions

  func generate(_ request: ReceivedRequest) -> GeneratedAnswer {
    var facts = RequestFacts()
    facts.turns = 1
    do {
      let isEdit = request.operation == .imageEdit
      let parameters = try OpenAIParameters(
        isEdit ? Self.form(request, &facts) : Self.json(request, &facts), isEdit: isEdit,
        isLocal: options.isLocalServer)
      facts.prompt = parameters.prompt
      let step = try PromptMarkers.apply(facts.prompt, to: request.step)
      let maker = OpenAIReplyMaker(parameters: parameters, facts: facts, request: request, step: step, options: options)
      return GeneratedAnswer(answer: maker.answer, facts: facts, step: step)
    } catch let error as ScenarioError {
      return refusal(.invalid(error.description, param: "prompt", code: nil), facts, request)
    } catch let error as OpenAIError {
      return refusal(error, facts, request)
    } catch {
      return refusal(OpenAIError(500, "The simulator failed.", type: "server_error"), facts, request)
    }
  }

  private func refusal(_ error: OpenAIError, _ facts: RequestFacts, _ request: ReceivedRequest) -> GeneratedAnswer {
    GeneratedAnswer(answer: error.answer, facts: facts, step: request.step, isAccepted: false)
  }

  // MARK: Reading

  private static func json(_ request: ReceivedRequest, _ facts: inout RequestFacts) throws(OpenAIError) -> JSONObject {
    do {
      let json = try JSONValue(parsing: request.body.readableBytesUInt8Span)
      facts.json = json
      if let object = json.object { return object }
    } catch {}
    throw .invalid(
      "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library "
        + "correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)", param: nil,
      code: nil)
  }

  private static func form(_ request: ReceivedRequest, _ facts: inout RequestFacts) throws(OpenAIError) -> JSONObject {
    let contentType = request.head.headers.first(name: "Content-Type") ?? ""
    let form = try MultipartForm(Array(request.body.readableBytesView), contentType: contentType)
    var texts = JSONObject()
    var images = OpenAIImages()
    for field in form.fields {
      switch field.name {
      case "image", "image[]", "mask": try images.add(field)
      default: texts[field.name] = .string(field.text)
      }
    }
    facts.images = images.facts
    facts.json = .object(texts)
    try images.check()
    return texts
  }

  // MARK: Models

  private static func json(model: String) -> JSONValue {
    ["id": .string(model), "object": "model", "created": 1_760_000_000, "owned_by": "system"]
  }

  var listModels: HTTPAnswer {
    let list: JSONValue = ["object": "list", "data": .array(OpenAIParameters.models.map(Self.json))]
    return HTTPAnswer(
      status: 200, headers: [HeaderField("Content-Type", "application/json")], body: list.serialized())
  }

  func model(_ id: String) -> HTTPAnswer {
    guard OpenAIParameters.models.contains(id) else { return OpenAIParameters.noSuchModel(id).answer }
    return HTTPAnswer(
      status: 200, headers: [HeaderField("Content-Type", "application/json")], body: Self.json(model: id).serialized())
  }
}
