import JSONRPC

/// How one request is answered.
public struct ScenarioStep: Sendable, Hashable {
  /// An answer given as it is, instead of one of the simulator's own.
  public struct Response: Sendable, Hashable {
    public var status: Int
    public var headers: [HeaderField]
    public var body: [UInt8]

    /// A body of JSON.
    public init(status: Int = 200, headers: [HeaderField] = [], json: JSONValue) {
      self.init(
        status: status, headers: [HeaderField("Content-Type", "application/json; charset=UTF-8")] + headers,
        body: json.serialized())
    }

    public init(status: Int, headers: [HeaderField], body: [UInt8]) {
      self.status = status
      self.headers = headers
      self.body = body
    }
  }

  /// The model of Gemini's whose requests meet it; nil for those for any. Other requests pass it by.
  public var model: String?
  /// Nil for success.
  public var fault: Fault?
  /// How long the answer takes to begin, in milliseconds; nil for ``SimulatorOptions/latencyMilliseconds``.
  public var latencyMilliseconds: Int?
  /// How large the file of a picture is; nil for ``SimulatorOptions/imageBytes``.
  public var imageBytes: Int?
  /// Takes the place of an answer that makes pictures. A transport fault applies to it as well.
  public var response: Response?

  public init(
    _ fault: Fault? = nil, model: String? = nil, latencyMilliseconds: Int? = nil, imageBytes: Int? = nil,
    response: Response? = nil
  ) {
    self.model = model
    self.fault = fault
    self.latencyMilliseconds = latencyMilliseconds
    self.imageBytes = imageBytes
    self.response = response
  }

  /// Whether requests for `model` meet it.
  func isMet(by model: String?) -> Bool { self.model == nil || self.model == model }

  /// A good answer.
  public static let success = ScenarioStep()
}
