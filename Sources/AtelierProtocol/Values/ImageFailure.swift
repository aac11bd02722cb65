/// A picture that could not be made, while others could.
public struct ImageFailure: Codable, Sendable, Equatable {
  /// Position among the pictures asked for, from 0.
  public var index: Int
  /// `front`, `left`, `right` or `back` of a multi-angle generation.
  public var view: String?
  /// Why.
  public var error: ErrorBody

  public init(index: Int, view: String? = nil, error: ErrorBody) {
    self.index = index
    self.view = view
    self.error = error
  }
}

extension ImageFailure: SchemaDescribed {
  public static let summary = "A picture that could not be made, while others could."

  public static let members = [
    "index": "Position among the pictures asked for, from 0.",
    "view": "`front`, `left`, `right` or `back` of a multi-angle generation.",
    "error": "Why.",
  ]
}
