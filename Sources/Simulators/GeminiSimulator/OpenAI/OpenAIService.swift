import JSON

/// Answers requests of OpenAI's Images API.
enum OpenAIService {
  static func generate(_ request: ReceivedRequest, _ options: SimulatorOptions) throws(HTTPAnswer) -> HTTPAnswer {
    var facts = RequestFacts()
    facts.turns = 1
    defer { (request.facts, request.model) = (facts, facts.json["model"]?.string) }
    let isEdit = request.operation == .imageEdit
    let fields = try isEdit ? form(request, &facts) : json(request, &facts)
    let parameters = try OpenAIParameters(fields, isEdit: isEdit, isLocal: options.isLocalServer)
    facts.prompt = parameters.prompt
    do {
      try request.step.apply(prompt: facts.prompt)
    } catch {
      throw .openAIError(400, error.description, param: "prompt")
    }
    let maker = OpenAIReplyMaker(
      parameters: parameters, imageCount: facts.images.count, kind: isEdit ? "image_edit" : "image_generation",
      id: request.id, step: request.step, options: options)
    return maker.answer
  }

  // MARK: Reading

  private static func json(_ request: ReceivedRequest, _ facts: inout RequestFacts) throws(HTTPAnswer) -> JSONObject {
    facts.json = (try? request.json()) ?? .null
    if let object = facts.json.object { return object }
    throw .openAIError(
      400,
      """
      We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library \
      correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)
      """)
  }

  private static func form(_ request: ReceivedRequest, _ facts: inout RequestFacts) throws(HTTPAnswer) -> JSONObject {
    let contentType = request.header("Content-Type") ?? ""
    let form = try ReceivedForm(Array(request.body.readableBytesView), contentType: contentType)
    var texts = JSONObject()
    var images = OpenAIImages()
    defer { (facts.images, facts.json) = (images.facts, .object(texts)) }
    for field in form.fields {
      switch field.name {
      case "image", "image[]", "mask": try images.add(field)
      default: texts[field.name] = .string(field.text)
      }
    }
    try images.check()
    return texts
  }

  // MARK: Models

  private static func json(model: String) -> JSONValue {
    ["id": .string(model), "object": "model", "created": 1_760_000_000, "owned_by": "system"]
  }

  static var listModels: HTTPAnswer {
    .json(["object": "list", "data": .array(OpenAIParameters.models.map(json))])
  }

  static func model(_ id: String) throws(HTTPAnswer) -> HTTPAnswer {
    try OpenAIParameters.checkModel(id)
    return .json(json(model: id))
  }
}

extension HTTPAnswer {
  /// An error of OpenAI's API.
  static func openAIError(
    _ status: Int, _ message: String, type: String = "invalid_request_error", param: String? = nil, code: String? = nil
  ) -> HTTPAnswer {
    let (param, code) = (param.map(JSONValue.string) ?? .null, code.map(JSONValue.string) ?? .null)
    let error: JSONValue = ["message": .string(message), "type": .string(type), "param": param, "code": code]
    return .json(status: status, ["error": error])
  }

  /// - Throws: what is wrong with a parameter, unless the condition holds.
  static func requireOpenAI(
    _ condition: Bool, _ param: String, _ code: String, _ message: @autoclosure () -> String
  ) throws(HTTPAnswer) {
    if !condition { throw .openAIRefusal(message(), param, code) }
  }

  /// What is wrong with a parameter.
  static func openAIRefusal(_ message: String, _ param: String, _ code: String) -> HTTPAnswer {
    .openAIError(400, message, param: param, code: code)
  }
}

/// The pictures of a request for an edit.
struct OpenAIImages {
  private(set) var facts: [RequestFacts.Image] = []
  private var firstSize: PictureSize?
  private var mask: (size: PictureSize?, bytes: Int)?
  private var singles = 0

  /// - Throws: for a picture the API does not take.
  mutating func add(_ field: ReceivedForm.Field) throws(HTTPAnswer) {
    let (name, bytes) = (field.name, field.bytes)
    let mimeType = field.contentType ?? "application/octet-stream"
    facts.append(RequestFacts.Image(mimeType: mimeType, bytes, role: name == "mask" ? "mask" : "image"))
    try HTTPAnswer.requireOpenAI(
      field.fileName != nil, name, "invalid_type",
      "Invalid type for '\(name)': expected a file, but got a string instead.")
    try HTTPAnswer.requireOpenAI(
      ["image/png", "image/jpeg", "image/webp"].contains(mimeType), name, "unsupported_file_mimetype",
      "Invalid file '\(name)': unsupported mimetype ('\(mimeType)'). Supported file formats are 'image/jpeg', "
        + "'image/png', and 'image/webp'.")
    guard let format = PictureEncoding(of: bytes), format.rawValue == mimeType, format.isComplete(bytes) else {
      throw .openAIRefusal(
        "Invalid image file or mode for image, please check your image file.", name, "invalid_image_file")
    }
    try HTTPAnswer.requireOpenAI(
      bytes.count < 50 << 20, name, "file_too_large", "Invalid file '\(name)': too large. Maximum size is 50MB.")
    if name == "mask" {
      try HTTPAnswer.requireOpenAI(
        format == .png, name, "invalid_image_format", "Invalid mask: it must be a PNG.")
      mask = (format.size(of: bytes), bytes.count)
    } else {
      if name == "image" { singles += 1 }
      firstSize = firstSize ?? format.size(of: bytes)
    }
  }

  /// Checks them together.
  func check() throws(HTTPAnswer) {
    let count = facts.count { $0.role == "image" }
    try HTTPAnswer.requireOpenAI(
      count > 0, "image", "missing_required_parameter", "Missing required parameter: 'image'.")
    try HTTPAnswer.requireOpenAI(
      singles <= 1, "image", "duplicate_parameter",
      "Duplicate parameter: 'image'. You provided multiple values for this parameter, whereas only one is allowed. "
        + "If you are trying to provide a list of values, use the array syntax instead e.g. 'image[]=<value>'.")
    try HTTPAnswer.requireOpenAI(
      count <= 16, "image", "array_above_max_length",
      "Invalid 'image': array too long. Expected an array with maximum length 16, but got one with length \(count).")
    guard let mask else { return }
    try HTTPAnswer.requireOpenAI(
      mask.bytes < 4 << 20, "mask", "file_too_large", "Invalid mask: file too large. Maximum size is 4MB.")
    try HTTPAnswer.requireOpenAI(
      mask.size == firstSize, "mask", "invalid_image_size", "Invalid mask: its size must be that of the image.")
  }
}
