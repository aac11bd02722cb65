/// The numbers by which person and background become the finished picture.
///
/// A reason or a source stands where one is known. What a change does shows in the sheets of the regression tests
/// (CONTRIBUTING.md, Tests).
enum CompositionTuning {
  /// Where person and background mix (``Compositor``).
  enum Compositor {
    /// Opacities nearer than this to 0 and 1 are 0 and 1.
    static let margin: Float = 0.004
    /// What a pixel is whatever the colour: its opacity hardly depends on the colour, and is below or above these.
    static let certain = (slope: Float(1e-6), background: Float(0.02), person: Float(0.99))
  }

  /// How clothes stand out (``ClothesContrast``).
  enum Clothes {
    /// How far from the outline colours are compared, in pixels of the matte.
    static let reach = 5
    /// What is the person, and what the background, for certain.
    static let certain = (person: Float(0.95), background: Float(0.05))
    /// Smaller differences, 0…1 gamma-coded, of the brightness and of each channel are hardly seen along an edge. Whites
    /// differ more in one channel than in brightness, because light is warm or cool.
    static let leastDifference = (luma: Float(0.08), colour: Float(0.14))
    /// The part of these that is enough before black: in the dark, small differences are seen.
    static let inDark: Float = 0.35
    /// Fewer places are no outline.
    static let leastPlaces = 100
    /// The part of the outline that is lost, from which the person is told.
    static let lostPart = 0.5
  }

  /// The last step (``Sharpener``).
  enum Sharpener {
    /// How much of the fine detail is added once more.
    static let amount: Float = 0.45
    /// The most a pixel may change, of 255; keeps hard edges from ringing.
    static let limit: Float = 10
    /// The amplitude of the background's grain, of 255: it hides the steps of 8 bits in smooth backdrops.
    static let grain: Float = 1.2
    /// A narrower face, in pixels of the photo, is not sharpened: only the blocks of the JPEG would become sharper.
    static let narrowestFace = 120.0
  }
}
