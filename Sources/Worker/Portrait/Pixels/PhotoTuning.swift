/// The numbers by which a photo itself is mended before its person is looked at: frames, transparency, compression.
///
/// A reason or a source stands where one is known. What a change does shows in the sheets of the regression tests
/// (CONTRIBUTING.md, Tests).
enum PhotoTuning {
  /// Margins of one colour (``PhotoRegion/withoutFrame()``).
  enum Frame {
    /// The most that a channel differs within a margin, of 255: what JPEG leaves beside the photo. With 8, most margins at
    /// a quality of 75 were missed, with 24 one of 73.
    static let noise = 24
    /// Thinner margins are the wall behind somebody, in pixels.
    static let least = 3
    /// The share of the line behind a margin that differs from it, and how much that may grow within so many lines.
    static let edge = (share: 0.08, growth: 1.25, lines: 8)
    /// So many pixels of a line are looked at.
    static let samples = 500
    /// The line between margin and photo is a mixture of both.
    static let blend = 1
  }

  /// The outlines of profile pictures (``FrameOutline``).
  enum Outline {
    /// The outline is looked at in a picture whose shorter side is less than twice this long, in pixels.
    static let side = 200
    /// A smaller visible part, in pixels of that picture, has no outline.
    static let least = 32
    /// The farthest that an outline may be from an ellipse, in pixels of that picture: a drawn one is half a pixel off at
    /// most, and no hair is cut so evenly.
    static let ellipseError = 1.0
    /// The area by which a shape may differ from a rectangle, in squares of half the perimeter.
    static let tolerance = 0.004
    /// How deep the mirror image beyond an outline goes, in parts of the frame's shorter side; further out it is mirrored
    /// back. Deeper, it would show a chin.
    static let mirrored = 0.12
    /// How often the way to the outline is halved: up to 4,096 pixels it is found exactly.
    static let halvings = 12
    /// So many radii of round corners are tried, up to the largest one that is possible.
    static let radii = 32
  }

  /// Photos with transparency (``Transparency``).
  enum Transparency {
    /// The colours of pixels less opaque than this, of 255, are replaced by those near by: at their edges, two of seven
    /// cut-outs were darkened by the black under their transparent pixels, and all kept a trace of the old background.
    static let trustedOpacity: UInt8 = 192
    /// What lies no further than so many pixels inside the outline of what is visible is not continued beyond it: the edge
    /// of many round pictures was darkened by the black outside of it, though its opacity is full.
    static let rim = 2
    /// The part of the visible pixels, and of those at the edge of the transparency, that must be the person in a cut-out.
    static let cutOutShare = (visible: 0.8, edge: 0.7)
    /// The edge of the transparency is a band as wide as this part of the picture, one 40th: at the edge itself the networks
    /// are unsure.
    static let edge = 40
    /// What the networks are shown under transparent pixels, of 255.
    static let grey = 128
  }

  /// The blocks of a compressed photo (``Deblocker``).
  enum Deblocker {
    /// The enlargement from which blocks are softened.
    static let leastEnlargement = 1.3
    /// How many times as large the steps at the blocks' edges must be as those between other pixels. Photos without
    /// compression have at most 1.1; JPEGs of quality 75 have 2 to 3, of 40 at least 3.6, of 12 more than 10. Below this,
    /// softening takes more detail than blocks.
    static let leastBlockiness: Float = 3
    /// The parts of the step that the pixels beside the edge are moved by, from the nearest on.
    static let moves: [Float] = [0.5, 0.3, 0.15]
    /// Larger steps between blocks, of 255, are edges of the scene: a constant and so many mean steps, together at most
    /// `most`.
    static let edge = (constant: Float(6), steps: Float(4), most: Float(30))
    /// A slope of so much beside the step, of 255, is detail.
    static let slope: Float = 8
    /// The trust at a step of 0; it is full up to half a limit and gone at one and a half.
    static let trust: Float = 1.5
    /// Where neighbours differ by as much as this, of 255, or the step itself does, blocks are not measured.
    static let smooth = (beside: Float(6), step: Float(40))
    /// Steps of less than a third of a level cannot be seen, however regular they are.
    static let leastStep: Float = 0.33
    /// The mean step between blocks, of 255, from which an enlarged photo is not sharpened at all: a JPEG of quality 40 has
    /// about 3.7, one of quality 12 has 5.9. Below it, sharpening is reduced in proportion.
    static let strongStep: Float = 6
  }
}
