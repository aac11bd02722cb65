import AtelierProtocol

/// What is asked of a provider: one picture.
public struct ImageRequest: Sendable {
  public var recipe: Recipe
  /// The photo as the host gave it, encoded; nil for recipes that need none.
  public var photo: [UInt8]?
  /// Which way to look and what stands behind, for `headshot`.
  public var style: Style?
  /// 0 for the first picture of a request, 1 for the second…: each is to differ.
  public var variation: Int
  public var model: String?
  /// The longest the provider may work on this picture, in milliseconds.
  public var timeoutMs: Int

  public init(
    recipe: Recipe, photo: [UInt8]? = nil, style: Style? = nil, variation: Int = 0, model: String? = nil,
    timeoutMs: Int
  ) {
    self.recipe = recipe
    self.photo = photo
    self.style = style
    self.variation = variation
    self.model = model
    self.timeoutMs = timeoutMs
  }
}
