import JSON
import NIOCore

/// Answers requests of OpenAI's Images API.
enum OpenAIService {
  static func generate(_ request: ReceivedRequest, _ options: SimulatorOptions) throws(HTTPAnswer) -> HTTPAnswer {
    var facts = RequestFacts()
    facts.turns = 1
    defer {
      request.facts = facts
      request.model = facts.json["model"]?.string
    }
    let isEdit = request.operation == .imageEdit
    let fields = try isEdit ? form(request, &facts) : json(request, &facts)
    let parameters = try OpenAIParameters(fields, isEdit: isEdit, isLocal: options.isLocalServer)
    facts.prompt = parameters.prompt
    do {
      try PromptMarkers.apply(facts.prompt, to: &request.step)
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
    let json = try? request.json()
    facts.json = json ?? .null
    guard let object = json?.object else {
      throw .openAIError(
        400,
        """
        We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library \
        correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)
        """)
    }
    return object
  }

  private static func form(_ request: ReceivedRequest, _ facts: inout RequestFacts) throws(HTTPAnswer) -> JSONObject {
    let contentType = request.header("Content-Type") ?? ""
    let form = try MultipartForm(Array(request.body.readableBytesView), contentType: contentType)
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

  static let missingKey = """
    You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. \
    Authorization: Bearer YOUR_KEY). You can obtain an API key from https://platform.openai.com/account/api-keys.
    """
}

extension HTTPAnswer {
  /// An error of OpenAI's API.
  static func openAIError(
    _ status: Int, _ message: String, type: String = "invalid_request_error", param: String? = nil, code: String? = nil
  ) -> HTTPAnswer {
    .json(
      status: status,
      [
        "error": [
          "message": .string(message), "type": .string(type), "param": param.map(JSONValue.string) ?? .null,
          "code": code.map(JSONValue.string) ?? .null,
        ]
      ])
  }
}

/// The pictures of a request for an edit.
struct OpenAIImages {
  private(set) var facts: [RequestFacts.Image] = []
  private var firstSize: PictureSize?
  private var mask: (size: PictureSize?, bytes: Int)?
  private var singles = 0

  /// - Throws: for a picture the API does not take.
  mutating func add(_ field: MultipartForm.Field) throws(HTTPAnswer) {
    let (name, bytes) = (field.name, field.bytes)
    let isMask = name == "mask"
    let mimeType = field.contentType ?? "application/octet-stream"
    facts.append(RequestFacts.Image(mimeType: mimeType, bytes, role: isMask ? "mask" : "image"))
    func refusal(_ message: String, _ code: String) -> HTTPAnswer {
      .openAIError(400, message, param: name, code: code)
    }
    guard field.fileName != nil else {
      throw refusal("Invalid type for '\(name)': expected a file, but got a string instead.", "invalid_type")
    }
    guard ["image/png", "image/jpeg", "image/webp"].contains(mimeType) else {
      throw refusal(
        "Invalid file '\(name)': unsupported mimetype ('\(mimeType)'). Supported file formats are 'image/jpeg', "
          + "'image/png', and 'image/webp'.", "unsupported_file_mimetype")
    }
    guard let format = ImageFormat(of: bytes), format.rawValue == mimeType, format.isComplete(bytes) else {
      throw refusal("Invalid image file or mode for image, please check your image file.", "invalid_image_file")
    }
    guard bytes.count < 50 << 20 else {
      throw refusal("Invalid file '\(name)': too large. Maximum size is 50MB.", "file_too_large")
    }
    if isMask {
      guard format == .png else { throw refusal("Invalid mask: it must be a PNG.", "invalid_image_format") }
      mask = (format.size(of: bytes), bytes.count)
    } else {
      if name == "image" { singles += 1 }
      firstSize = firstSize ?? format.size(of: bytes)
    }
  }

  /// Checks them together.
  func check() throws(HTTPAnswer) {
    func refusal(_ message: String, _ param: String, _ code: String) -> HTTPAnswer {
      .openAIError(400, message, param: param, code: code)
    }
    let count = facts.count { $0.role == "image" }
    guard count > 0 else {
      throw refusal("Missing required parameter: 'image'.", "image", "missing_required_parameter")
    }
    guard singles <= 1 else {
      throw refusal(
        "Duplicate parameter: 'image'. You provided multiple values for this parameter, whereas only one is allowed. "
          + "If you are trying to provide a list of values, use the array syntax instead e.g. 'image[]=<value>'.",
        "image", "duplicate_parameter")
    }
    guard count <= 16 else {
      throw refusal(
        "Invalid 'image': array too long. Expected an array with maximum length 16, but got one with length \(count).",
        "image", "array_above_max_length")
    }
    guard let mask else { return }
    guard mask.bytes < 4 << 20 else {
      throw refusal("Invalid mask: file too large. Maximum size is 4MB.", "mask", "file_too_large")
    }
    guard mask.size == firstSize else {
      throw refusal("Invalid mask: its size must be that of the image.", "mask", "invalid_image_size")
    }
  }
}
