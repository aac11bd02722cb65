/// The numbers of the backgrounds behind the person.
///
/// A reason or a source stands where one is known. What a change does shows in the sheets of the regression tests
/// (CONTRIBUTING.md, Tests).
enum BackgroundTuning {
  /// The photo's own background, blurred (``SoftFocusBackground``).
  enum SoftFocus {
    /// In the order of the variations: natural, wide aperture, warm, calm.
    static let focuses: [SoftFocusBackground.Focus] = [
      .init(radius: 0.036, stops: 0, warmth: Colour(1, 1, 1, 0), vignette: 0.10),
      .init(radius: 0.085, stops: 0.25, warmth: Colour(1, 1, 1, 0), vignette: 0.04),
      .init(radius: 0.046, stops: 0.2, warmth: Colour(1.12, 1, 0.84, 0), vignette: 0.12),
      .init(radius: 0.055, stops: -0.85, warmth: Colour(0.96, 1, 1.05, 0), vignette: 0.30),
    ]
    /// How many times its weight a colour counts beside the mean of its wider surroundings. With 1, the far side of the
    /// person shines into the fill of the near side, as a halo along the hair.
    static let trust: Float = 64
    /// The radius of the last, even blur, as a part of the picture's width: one 128th.
    static let smoothing = 128
    /// The colour of each channel where no background is visible at all.
    static let empty: Float = 0.2
  }

  /// The painted backdrops (``StudioBackdrop``).
  enum Backdrop {
    /// The first backdrop of a person without a background to be seen.
    static let neutral = StudioBackdrop.Tone(
      middle: Colour(0.800, 0.802, 0.806, 0), corner: Colour(0.530, 0.534, 0.542, 0),
      light: Point(x: 0.46, y: 0.36), reach: 0.86)
    /// The others, in the order of the variations: cool blue grey, warm taupe, charcoal.
    static let tones: [StudioBackdrop.Tone] = [
      .init(
        middle: Colour(0.640, 0.690, 0.742, 0), corner: Colour(0.330, 0.383, 0.445, 0),
        light: Point(x: 0.56, y: 0.38), reach: 0.84),
      .init(
        middle: Colour(0.760, 0.712, 0.656, 0), corner: Colour(0.468, 0.418, 0.366, 0),
        light: Point(x: 0.44, y: 0.40), reach: 0.84),
      .init(
        middle: Colour(0.375, 0.382, 0.396, 0), corner: Colour(0.125, 0.130, 0.140, 0),
        light: Point(x: 0.55, y: 0.40), reach: 0.80),
    ]
    /// A backdrop that follows the photo is brighter than the photo's background in the middle of its light, and darker in
    /// the corners, by so much altogether. Where the outline of a head usually is, both are the same.
    static let vignette = (depth: Float(0.22), same: Float(0.25))
    /// The pool of light is wider than high by this factor.
    static let flatness: Float = 0.92
    /// How uneven the painted cloth is, of 1.
    static let cloth: Float = 0.012
    /// A backdrop that does not follow the photo is dimmed for a person in dim light: to `least` at most, otherwise by a
    /// straight line over the photo's bright level.
    static let dimming = (least: 0.55, dark: 0.35, rise: 0.65)
  }

  /// What a backdrop takes up of the photo's background (``SceneLight``).
  enum Scene {
    /// A studio has no blacker and no whiter backdrops.
    static let range: ClosedRange<Float> = 0.16...0.9
    /// The part of the background's mean colour that is taken up, and the most of it, over all channels together.
    static let colour = (part: Float(0.5), most: Float(0.07))
    /// The side at which the brightness is averaged, and three times over how many pixels to either side: so far that no
    /// window and no shelf is recognised.
    static let side = 64
    static let radius = 12
    /// Less background, as a part of the picture, says nothing.
    static let leastPart: Float = 0.01
    /// A backdrop below this luma looks dark.
    static let dark: Float = 0.5
  }

  /// What counts as background (``VisibleBackground``).
  enum Visible {
    /// The pixels around the person that do not count, at the matte's size. Loose hair and the glow of a lens reach that
    /// far beyond the matte, and would stay as a ghost of the person's outline.
    static let margin = 8
    /// Opacities from this on are the person.
    static let leastOpacity: Float = 0.02
  }
}
