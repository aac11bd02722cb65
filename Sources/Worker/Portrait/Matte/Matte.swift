/// The opacity of the person, and the colours of person and background where they mix.
struct Matte {
  /// The opacity at each position, as a function of the colour (``GuidedFilter``).
  var coefficients: Plane<Colour>
  /// See ``EdgeCurve``.
  var looseness: Plane<Float>
  /// 0…1.
  var opacity: Plane<Float>
  var layers: LayerEstimator.Layers
  /// Nil before a background without saturated colours.
  var spill: SpillSuppressor?
  /// The number of pixels in the hair that have the background's colour and stay opaque (``HairGaps``).
  var backgroundInHair = 0
}
