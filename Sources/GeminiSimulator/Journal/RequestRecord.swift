import JSON

/// One request as the simulator saw it.
public struct RequestRecord: Sendable {
  /// What the path asks for.
  public enum Operation: String, Sendable, CaseIterable {
    case generateContent
    case streamGenerateContent
    case listModels
    case getModel
    case imageGeneration = "images/generations"
    case imageEdit = "images/edits"
    case openAIListModels = "openai/models"
    case openAIGetModel = "openai/model"
    case unknown

    /// Whether it asks for pictures, and so uses up a step of the scenario.
    public var isGenerating: Bool {
      switch self {
      case .generateContent, .streamGenerateContent, .imageGeneration, .imageEdit: true
      case .listModels, .getModel, .openAIListModels, .openAIGetModel, .unknown: false
      }
    }

    /// Whether it is one of OpenAI's, with its own errors.
    var isOpenAI: Bool {
      switch self {
      case .imageGeneration, .imageEdit, .openAIListModels, .openAIGetModel: true
      case .generateContent, .streamGenerateContent, .listModels, .getModel, .unknown: false
      }
    }
  }

  /// How far it got. The cases follow each other in this order; the last three are ends.
  public enum State: String, Sendable, CaseIterable, Comparable {
    /// The head is there, the body not wholly.
    case receiving
    /// The whole request is there, no byte of the answer is sent.
    case received
    /// The first byte of the answer is sent.
    case answering
    /// The whole answer has been handed to the network.
    case answered
    /// The simulator broke the connection, as a fault demanded.
    case broken
    /// The peer closed the connection before it had the whole answer.
    case closedByPeer

    public var isFinal: Bool { self >= .answered }

    public static func < (left: State, right: State) -> Bool { left.order < right.order }

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// When things happened, in milliseconds since the simulator started.
  public struct Times: Sendable, Hashable {
    /// The head was there.
    public var received: Double
    public var bodyComplete: Double?
    /// The first byte of the answer was sent.
    public var headers: Double?
    /// The last byte of the answer was handed to the network.
    public var answered: Double?
    /// The peer closed, or reset, the connection.
    public var closedByPeer: Double?
  }

  /// 1 for the first request; requests to `/_simulator/` are not counted.
  public var id: Int
  /// The number of its connection, from 1.
  public var connection: Int
  public var method: String
  /// Without the query.
  public var path: String
  public var operation: Operation
  /// As in the path or the body.
  public var model: String?
  /// In order; the value of one that holds a secret is replaced by `present`.
  public var headers: [HeaderField]
  public var credential: Credential
  public var state = State.receiving
  public var times: Times
  /// The name of the fault it met, if any.
  public var fault: String?
  public var status: Int?
  /// Of the body.
  public var bytesReceived = 0
  /// The head included.
  public var bytesSent = 0
  /// What the body says, once it is complete and understood.
  public var facts: RequestFacts?
  /// The body, when ``SimulatorOptions/keepsBodies``.
  public var body: [UInt8]?

  /// The value of the first header of that name, whatever its case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// What the body of a request says.
public struct RequestFacts: Sendable {
  /// A picture in the request.
  public struct Image: Sendable, Hashable {
    /// As the request calls it.
    public var mimeType: String
    /// FNV-1a (64 bits) of the bytes, as hexadecimal digits.
    public var fingerprint: String
    public var bytes: Int
    /// `user` or `model`; for OpenAI `image` or `mask`.
    public var role: String
  }

  /// All text of the user's last turn, its parts joined by a newline.
  public var prompt = ""
  /// How many turns; 1 for OpenAI.
  public var turns = 0
  public var images: [Image] = []
  /// The thought signatures of model turns, in order, as they were written.
  public var thoughtSignatures: [String] = []
  /// The request, the data of its pictures replaced by their length: "<1234 bytes>".
  public var json: JSONValue = .null

  init() {}
}
