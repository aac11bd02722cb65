import JSON

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

/// An error of OpenAI's API, or of a server that imitates it.
struct OpenAIError: Error, Sendable {
  var status: Int
  var body: JSONValue
  var headers: [HeaderField] = []

  init(_ status: Int, _ message: String, type: String, param: String? = nil, code: String? = nil) {
    self.init(
      status,
      body: [
        "error": [
          "message": .string(message), "type": .string(type), "param": param.map(JSONValue.string) ?? .null,
          "code": code.map(JSONValue.string) ?? .null,
        ]
      ])
  }

  init(_ status: Int, body: JSONValue) {
    self.status = status
    self.body = body
  }

  static func invalid(_ message: String, param: String?, code: String?) -> OpenAIError {
    OpenAIError(400, message, type: "invalid_request_error", param: param, code: code)
  }

  var answer: HTTPAnswer {
    HTTPAnswer(
      status: status, headers: [HeaderField("Content-Type", "application/json")] + headers, body: body.serialized())
  }

  static let missingKey = OpenAIError(
    401,
    """
    You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. \
    Authorization: Bearer YOUR_KEY). You can obtain an API key from https://platform.openai.com/account/api-keys.
    """, type: "invalid_request_error")

  static let invalidKey = OpenAIError(
    401,
    """
    Incorrect API key provided: bad*****. You can find your API key at https://platform.openai.com/account/api-keys.
    """, type: "invalid_request_error", code: "invalid_api_key")
}

/// The pictures of a request for an edit.
struct OpenAIImages {
  private(set) var facts: [RequestFacts.Image] = []
  private var firstSize: PictureSize?
  private var mask: (size: PictureSize?, bytes: Int)?
  private var singles = 0

  /// - Throws: ``OpenAIError`` for a picture the API does not take.
  mutating func add(_ field: MultipartForm.Field) throws(OpenAIError) {
    let isMask = field.name == "mask"
    let mimeType = field.contentType ?? "application/octet-stream"
    facts.append(
      RequestFacts.Image(
        mimeType: mimeType, fingerprint: Checksum.hexadecimal(Checksum.fnv1a(field.bytes)), bytes: field.bytes.count,
        role: isMask ? "mask" : "image"))
    guard field.fileName != nil else {
      throw .invalid(
        "Invalid type for '\(field.name)': expected a file, but got a string instead.", param: field.name,
        code: "invalid_type")
    }
    guard ["image/png", "image/jpeg", "image/webp"].contains(mimeType) else {
      throw .invalid(
        "Invalid file '\(field.name)': unsupported mimetype ('\(mimeType)'). Supported file formats are 'image/jpeg', "
          + "'image/png', and 'image/webp'.", param: field.name, code: "unsupported_file_mimetype")
    }
    guard let format = ImageFormat(of: field.bytes), format.rawValue == mimeType, format.isComplete(field.bytes) else {
      throw .invalid(
        "Invalid image file or mode for image, please check your image file.", param: field.name,
        code: "invalid_image_file")
    }
    guard field.bytes.count < 50 * 1_048_576 else {
      throw .invalid(
        "Invalid file '\(field.name)': too large. Maximum size is 50MB.", param: field.name, code: "file_too_large")
    }
    let size = format.size(of: field.bytes)
    if isMask {
      guard format == .png else {
        throw .invalid("Invalid mask: it must be a PNG.", param: "mask", code: "invalid_image_format")
      }
      mask = (size, field.bytes.count)
    } else {
      if field.name == "image" { singles += 1 }
      firstSize = firstSize ?? size
    }
  }

  /// Checks them together.
  func check() throws(OpenAIError) {
    let count = facts.count { $0.role == "image" }
    guard count > 0 else {
      throw .invalid("Missing required parameter: 'image'.", param: "image", code: "missing_required_parameter")
    }
    guard singles <= 1 else {
      throw .invalid(
        "Duplicate parameter: 'image'. You provided multiple values for this parameter, whereas only one is allowed. "
          + "If you are trying to provide a list of values, use the array syntax instead e.g. 'image[]=<value>'.",
        param: "image", code: "duplicate_parameter")
    }
    guard count <= 16 else {
      throw .invalid(
        "Invalid 'image': array too long. Expected an array with maximum length 16, but got one with length \(count).",
        param: "image", code: "array_above_max_length")
    }
    guard let mask else { return }
    guard mask.bytes < 4 * 1_048_576 else {
      throw .invalid("Invalid mask: file too large. Maximum size is 4MB.", param: "mask", code: "file_too_large")
    }
    guard mask.size == firstSize else {
      throw .invalid("Invalid mask: its size must be that of the image.", param: "mask", code: "invalid_image_size")
    }
  }
}
