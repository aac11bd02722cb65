/// Where the person is, and which colours person and background have where they mix.
struct Matte {
  /// For each place the opacity as a function of the colour (``GuidedFilter``).
  var coefficients: Plane<Colour>
  /// 0…1.
  var opacity: Plane<Float>
  var layers: LayerEstimator.Layers
}
