/// Gives the worker the operator's networks in place of those that it has, or tries them without keeping them. The bytes
/// of their files follow each other in the input.
public struct NetworksJob: ImagingJob, Equatable {
  public static let method = "worker/networks"

  public var networks: [OperatorNetwork]
  /// Whether each looks at a picture that is made for it, and none is kept.
  public var isTrial: Bool

  public init(networks: [OperatorNetwork], isTrial: Bool = false) {
    self.networks = networks
    self.isTrial = isTrial
  }

  public struct Report: Codable, Sendable, Equatable {
    /// What was found of each, in their order.
    public var findings: [Finding]

    public init(findings: [Finding]) { self.findings = findings }
  }

  public struct Finding: Codable, Sendable, Equatable {
    public var name: String
    /// The side of its input; nil if it cannot be used.
    public var inputSide: Int?
    /// How long its look took, if it was tried.
    public var milliseconds: Int?
    public var refusal: NetworkRefusal?

    public init(name: String, inputSide: Int? = nil, milliseconds: Int? = nil, refusal: NetworkRefusal? = nil) {
      self.name = name
      self.inputSide = inputSide
      self.milliseconds = milliseconds
      self.refusal = refusal
    }
  }
}
