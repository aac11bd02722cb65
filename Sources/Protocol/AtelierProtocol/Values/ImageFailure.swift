/// A picture that could not be made, although others could.
public struct ImageFailure: Codable, Sendable, Equatable {
  /// The position among the requested pictures, from 0.
  public var index: Int
  /// In a multi-angle generation: `front`, `left`, `right` or `back`.
  public var view: String?
  /// Why the picture could not be made.
  public var error: ErrorBody

  public init(index: Int, view: String? = nil, error: ErrorBody) {
    self.index = index
    self.view = view
    self.error = error
  }
}
