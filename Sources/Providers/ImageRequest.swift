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
  /// Such as `1:1`; nil leaves it to the provider.
  public var aspectRatio: String?
  /// Such as `1K` or `1024x1024`; nil leaves it to the provider.
  public var size: String?
  /// The longest the provider may work on this picture, in milliseconds.
  public var timeoutMs: Int

  public init(
    recipe: Recipe, photo: [UInt8]? = nil, style: Style? = nil, variation: Int = 0, model: String? = nil,
    aspectRatio: String? = nil, size: String? = nil, timeoutMs: Int
  ) {
    self.recipe = recipe
    self.photo = photo
    self.style = style
    self.variation = variation
    self.model = model
    self.aspectRatio = aspectRatio
    self.size = size
    self.timeoutMs = timeoutMs
  }
}
