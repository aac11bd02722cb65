/// Thrown by a type's `init(from:)` to say what it expected; the decoder adds the path.
public struct JSONExpectation: Error, Sendable, Hashable {
  /// What was expected, phrased to follow "must be": "a number from -1 to 1, or left, front, right".
  public var expected: String

  public init(_ expected: String) {
    self.expected = expected
  }
}
