/// How a simulator behaves.
public struct SimulatorOptions: Sendable {
  /// Where to listen on 127.0.0.1; 0 for any free port.
  public var port = 0
  /// How long an answer takes to begin, in milliseconds.
  public var latencyMilliseconds = 0
  /// The first requests for pictures meet these, in order.
  public var scenario: [ScenarioStep] = []
  /// What they meet after that.
  public var always = ScenarioStep.success
  /// How large the file of a picture is, exactly; nil makes small ones.
  public var imageBytes: Int?
  /// Pictures are so many times smaller, each side, than the ones the API makes.
  public var pictureScale = 16
  /// Whether models that can think always show their thoughts, not only when asked.
  public var showsThoughts = false
  /// Whether the OpenAI endpoints behave as local servers do: no key, any model, parameters of diffusion models.
  public var isLocalServer = false
  /// Whether ``RequestRecord/body`` is kept, of the last requests that together fit into 64 MiB.
  public var keepsBodies = true
  /// How many requests, and how many connections, are remembered.
  public var journalCapacity = 10_000
  /// The threads that serve connections.
  public var threads = 2
  /// The pace of `slow-drip`.
  public var dripBytes = 64
  public var dripMilliseconds = 20
  /// Given a line for each request that has ended: method, path, status, bytes. Called on the threads that serve.
  public var log: (@Sendable (String) -> Void)?

  public init() {}
}
