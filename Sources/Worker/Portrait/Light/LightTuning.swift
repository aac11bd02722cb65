/// The numbers by which light and colour are measured and corrected.
///
/// A reason or a source stands where one is known. What a change does shows in the sheets of the regression tests
/// (CONTRIBUTING.md, Tests).
enum LightTuning {
  /// The light on the face (``FaceLight``).
  enum Face {
    /// The highlight, 0…1 gamma-coded, below which a face may be in the shade: of 117 portraits six have less, all of them
    /// dim or with the light behind the person.
    static let dim = 0.55
    /// How far highlights stand out from the skin, in stops. In the shade it is up to the first number on light skin; dark
    /// skin in ordinary light has about the second.
    static let flatContrast = 1.2
    static let fullContrast = 2.0
    /// The highlight, 0…1 gamma-coded, below which a face is in the dark however far its highlights stand out: at first
    /// hardly, from the second number on certainly. Dark skin in even light has 0.42 and more.
    static let dark = (from: 0.4, full: 0.34)
    /// The part of what is missing, in stops, that is corrected: a face in the shade still looks so.
    static let correction = 0.6
    /// The most light that is added, in stops; beyond it, noise and blocks become visible.
    static let maximumLift = 0.8
    /// The oval of the face that is measured, in sides of its box from its centre.
    static let oval = (across: 0.46, down: 0.47)
    /// Fewer pixels are no measurement.
    static let leastPixels = 200
    /// The percents of the face's pixels that are darker than its highlight, and than its skin.
    static let percents = (highlight: 98, median: 50)
    /// Darker values, 0…1 gamma-coded, count as this one.
    static let darkest = 0.05

    /// Parts of a face in deep shade, which no lift makes visible.
    enum Shade {
      /// Darker luma shows nothing of a face.
      static let luma = 0.15
      /// The parts of the face and of its upper half. Of 248 portraits, one has that much without a mask; dark skin in
      /// ordinary light has up to 0.23, sunglasses take up to 0.23 of a face.
      static let all = 0.3
      static let upper = 0.25
    }

    /// Light that comes from behind: the face is flat, and darker than its backdrop makes one expect.
    enum Backlight {
      /// The highlight, 0…1 gamma-coded, of a face before a bright backdrop that is lit as the face is.
      static let highlight = 0.7
      /// The brightness of the backdrop, 0…1 gamma-coded, that asks for nothing, and for all of it.
      static let backdrop = (from: 0.6, full: 0.85)
      /// How far highlights stand out, in stops, where light certainly came from behind, and where it did not: less than on
      /// dark skin in ordinary light.
      static let contrast = (full: 1.1, none: 1.4)
    }
  }

  /// The light of the whole photo (``PhotoLight``).
  enum Photo {
    /// About so many pixels of a photo are looked at.
    static let samples = 60_000
    /// The luma of pixels that tell the cast: clipped and black ones do not.
    static let grey = (from: 0.15, to: 0.95)
    /// The spread of the channels from which a colour is the thing's own: a part of its luma, and a constant.
    static let spread = (part: 0.25, constant: 0.05)
    /// The parts of the pixels that are darker than the median and than the bright level.
    static let parts = (median: 0.5, bright: 0.97)
    /// Fewer grey pixels, as a part of all, are no ground for a judgement.
    static let leastGrey = 0.03
  }

  /// The correction of light and colour (``ToneCurve``).
  enum Tone {
    /// The most that is corrected: of exposure in stops, of balance as a part of each channel's factor.
    static let maximumExposure = 0.3
    static let maximumBalance = 0.06
    /// The highlight of the face at which the photo's correction does not apply at all, 0…1 gamma-coded, and how far from it
    /// the correction applies in full: below for more light, above for less.
    static let agreement = (more: (none: 0.8, full: 0.2), less: (none: 0.85, full: 0.12))
    /// A photo whose bright level is below `from` lacks light: what it lacks of `to`.
    static let dark = (from: 0.8, to: 0.85)
    /// A photo whose median is above `from` has too much: what it has beyond `to`.
    static let pale = (from: 0.7, to: 0.62)
    /// The part of a difference, of light and of colour, that is corrected.
    static let part = 0.5
    /// The exponent that makes light of gamma-coded values, for differences of them.
    static let gamma = 2.2
    /// Darker levels, and fainter channels of the cast, count as these.
    static let least = (level: 0.05, cast: 0.2)
    /// The value, 0…1 linear, from which highlights are compressed when light is added.
    static let knee = 0.5
  }

  /// Pupils that a flash made red (``RedEye``).
  enum RedEye {
    /// How many times brighter red must be than green and blue. Skin has at most 1.7, red pupils have two and more.
    static let redness: Float = 1.9
    /// The least red of a pupil in light, of 255; darker ones do not look red.
    static let leastRed: Float = 55
    /// The least blue of a pupil, as a part of its green. The blood behind a pupil had 0.88 to 1.4, the corners of eyes
    /// and brown irises that were as red as that had 0.2 to 0.76, with one exception in 1,000 portraits.
    static let blueness: Float = 0.82
    /// The area of a pupil or an iris in areas of a square on the face's width: a pupil of 4.5 mm, as it is wide
    /// in the dark, up to an iris of 12 mm, on a face of 140 mm.
    static let area = 0.0008...0.0062
    /// The window that is examined, in widths of the face to either side of the eye's centre.
    static let reach = (across: 0.11, down: 0.075)
    /// Where in the window the spot must be, in widths of the face from the eye's centre.
    static let core = 0.05
    /// What remains of the brightness: a pupil is dark.
    static let darkening: Float = 0.75
    /// The rim of the spot, in widths of the face: it is red as well, only less so.
    static let rim = 0.008
    /// The redness at which the correction sets in, and how much more gets all of it.
    static let onset = (from: Float(1.2), over: Float(0.5))
    /// The least part of its box that a pupil fills, in percent, and how many times as long as the other a side may be: a
    /// disc fills 79; a catchlight takes a little of it, lids cut some more.
    static let shape = (fill: 50, sides: 2)
    /// The redness of darker colours, of 255, is noise.
    static let darkest: Float = 12
    /// Smaller windows, in pixels to either side of the eye, show no pupil.
    static let smallest = (across: 6, down: 4)
  }
}
