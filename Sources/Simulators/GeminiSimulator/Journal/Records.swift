import JSON

/// One request as the simulator saw it. Encoded as the control API tells it, without its body.
public struct RequestRecord: Sendable, Encodable {
  /// What the path asks for.
  public enum Operation: String, Sendable, CaseIterable, Encodable {
    case generateContent, streamGenerateContent, listModels, getModel
    case imageGeneration = "images/generations", imageEdit = "images/edits", openAIListModels = "openai/models"
    case openAIGetModel = "openai/model", chatCompletion = "chat/completions", geocode = "search", keySet = "jwks"
    case unknown

    /// Whether it asks for pictures or words, and so uses up a step of the scenario.
    public var isGenerating: Bool {
      [.generateContent, .streamGenerateContent, .imageGeneration, .imageEdit, .chatCompletion].contains(self)
    }

    /// Whether it is one of OpenAI's, with its own errors.
    var isOpenAI: Bool {
      [.imageGeneration, .imageEdit, .openAIListModels, .openAIGetModel, .chatCompletion].contains(self)
    }
  }

  /// How far it got. The cases follow each other in this order; the last three are ends.
  public enum State: String, Sendable, CaseIterable, Comparable, Encodable {
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
  public struct Times: Sendable, Hashable, Encodable {
    /// The head was there.
    public var received: Double
    /// The first byte of the answer was sent.
    public var headers: Double?
    public var bodyComplete: Double?
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
  public var state = State.receiving
  /// As in the path or the body.
  public var model: String?
  /// The name of the fault it met, if any.
  public var fault: String?
  public var status: Int?
  public var credential: Credential
  /// In order; the value of one that holds a secret is replaced by `present`.
  public var headers: [HeaderField]
  /// Of the body.
  public var bytesReceived = 0
  /// The head included.
  public var bytesSent = 0
  public var times: Times
  /// What the body says, once it is complete and understood.
  public var facts: RequestFacts?
  /// The body, when ``SimulatorOptions/keepsBodies``.
  public var body: [UInt8]?

  private enum CodingKeys: String, CodingKey {
    case id, connection, method, path, operation, state, model, fault, status, credential, headers, bytesReceived
    case bytesSent, times, facts
  }

  /// The value of the first header of that name, whatever its case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// What the body of a request says.
public struct RequestFacts: Sendable, Encodable {
  /// A picture in the request.
  public struct Image: Sendable, Hashable, Encodable {
    /// As the request calls it.
    public var mimeType: String
    /// FNV-1a (64 bits) of the bytes, as hexadecimal digits.
    public var fingerprint: String
    public var bytes: Int
    /// `user` or `model`; for OpenAI `image` or `mask`.
    public var role: String

    init(mimeType: String, _ picture: [UInt8], role: String) {
      (self.mimeType, self.role) = (mimeType, role)
      (fingerprint, bytes) = (Checksum.fingerprint(picture), picture.count)
    }
  }

  /// All text of the user's last turn, its parts joined by a newline.
  public var prompt = ""
  /// How many turns; 1 for OpenAI.
  public var turns = 0
  public var images: [Image] = []
  /// The thought signatures of model turns, in order, as they were written.
  public var thoughtSignatures: [String] = []
  /// The request: for Gemini without its contents, for a form without its files.
  public var json: JSONValue = .null
}

/// One connection as the simulator saw it.
public struct ConnectionRecord: Sendable, Hashable, Encodable {
  public enum End: String, Sendable, Encodable {
    case peer
    /// The peer reset it.
    case peerReset
    case simulator
  }

  /// 1 for the first.
  public var id: Int
  /// How many requests it has brought, those to `/_simulator/` included.
  public var requests = 0
  /// In milliseconds since the simulator started.
  public var opened: Double
  public var closed: Double?
  /// Who ended it.
  public var end: End?
}

/// How a request says who it is. The secret itself is not kept.
public struct Credential: Sendable, Hashable, Encodable {
  public enum Place: String, Sendable, Encodable {
    case none
    /// `x-goog-api-key`.
    case header
    /// `?key=`, which puts the key into URLs and logs.
    case query
    /// `Authorization: Bearer`.
    case bearer
  }

  public var place: Place
  /// FNV-1a (64 bits) of the key as hexadecimal digits, to tell keys apart; empty when there is none.
  public var fingerprint: String
  /// True when the simulator takes the key for a wrong one.
  public var isBad: Bool

  init(place: Place, key: String = "") {
    self.place = place
    fingerprint = place == .none ? "" : Checksum.fingerprint(key.utf8)
    isBad = key.lowercased().hasPrefix("bad")
  }
}

/// One header field of a request or an answer; encoded as a list of both.
public struct HeaderField: Sendable, Hashable, Encodable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(name)
    try list.encode(value)
  }
}
