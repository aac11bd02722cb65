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
    /// The side at which the brightness is averaged.
    static let side = 64
    /// The most that a backdrop's light differs from one edge of the picture to the other, in stops: more looks like a
    /// blotch.
    static let slope: Float = 0.5
    /// The difference between both halves of a face, in stops, from which it is lit from a side.
    static let faceSide: Float = 0.2
    /// The exponent that makes light of gamma-coded values.
    static let gamma: Float = 2.2
    /// Less background, as a part of the picture, says nothing.
    static let leastPart: Float = 0.01
    /// A backdrop below this luma looks dark.
    static let dark: Float = 0.5
  }

  /// When the photo's own background is kept (``BackgroundDoubt``).
  ///
  /// By a logistic regression over the studio pictures of 248 photos, 71 of which showed a flaw by eye; each tenth left out,
  /// the area under the curve is 0.84.
  enum Doubt {
    /// What a measure counts for each of its units above what is usual. Areas count by their logarithm.
    static func weight(of reason: BackgroundDoubt.Reason) -> (each: Double, usual: Double, isArea: Bool) {
      switch reason {
      case .uncertain: (0.448, -3.74, true)
      case .lost: (0.355, -5.10, true)
      case .uneven: (9.24, 0.122, false)
      case .loose: (0.79, 2.26, false)
      }
    }
    /// The logarithm of the odds of a usual photo, and the most of a photo that gets a backdrop: a flaw before a backdrop
    /// is worse than a background that need not have been kept.
    static let usual = -1.16
    static let limit = -2.0
    /// Before one colour or none, the logarithm of the odds and the part of the loose edge from which bits of the background
    /// probably show in the hair: of 248 photos 41 have that, 30 of which showed a flaw.
    static let hair = (odds: 0.0, loose: 0.2)
    /// Added to areas, in areas of the face's box, before their logarithm is taken.
    static let leastArea = 0.003
    /// What is certain in a view to be the person, and in the matte to be none.
    static let certain = (person: Float(0.9), background: Float(0.1))
    /// Uncertain areas count without so many pixels along their rims, and lost ones if they are more than twice as thick.
    static let core = 3
    static let speck = 2
    /// The ring around the person, in pixels of the matte from the outline, and the fewest of it that say something.
    static let ring = (from: 8, to: 40, leastPixels: 200)
    static let halfTransparent: ClosedRange<Float> = 0.1...0.9
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
