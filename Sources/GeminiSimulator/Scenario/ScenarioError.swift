/// Why a scenario, a step of one, or a marker in a prompt is not understood.
public struct ScenarioError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence for its author.
  public var description: String

  init(_ description: String) { self.description = description }
}
