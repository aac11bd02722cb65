/// The numbers by which faces are found and judged: thresholds, limits and margins.
///
/// A reason or a source stands where one is known. What a change does shows in the sheets of the regression tests
/// (CONTRIBUTING.md, Tests).
enum FaceTuning {
  /// Which detections are faces (``FaceSearch``).
  enum Search {
    /// The presence, of the mesh, from which a detection is a face.
    static let minimumPresence = 0.5
    /// The detector's score when nothing was found with the usual one. The mesh still has to confirm the face.
    static let lowScore = 0.3
    /// The presence that confirms such a face; animals and patterns have reached 0.72.
    static let surePresence = 0.9
    /// The score from which a face surely stands as it was found. Upside down, a face can look like another one that
    /// stands upright, to the mesh as well: of 42 such photos the detector gave none more than 0.79, while all of these
    /// portraits but one had at least 0.85 when they stood upright.
    static let certainScore = 0.82
    /// How much higher the score must be after a turn that nobody noted in the file.
    static let turnMargin = 0.1
    /// The levels on which turned versions of the photo are searched: a photo that lies on its side is a portrait, whose
    /// face is not tiny, and each level costs four times as much as the one before.
    static let turnedLevels = 2
    /// A face that leans further than this, in degrees, lies in a photo on its side, or is none; heads do not lean so far.
    static let largestLean = 60.0
    /// A picture longer than this, in its shorter sides, is searched in squares as well.
    static let longPicture = 1.15
    /// Smaller squares, in pixels, are not searched: half of the side of the detector's input.
    static let smallestSquare = 64.0
    /// The most between the centres of neighbouring squares, in their sides: they overlap.
    static let squareStep = 0.6
  }

  /// What the network finds in one view (``FaceDetector``).
  enum Detector {
    /// The score from which a detection counts, unless nothing is found.
    static let minimumScore = 0.55
    /// Detections whose boxes overlap more than this, as a part of their union, are the same face (MediaPipe).
    static let sameFace = 0.3
  }

  /// Where the points of a face are looked for (``FaceMesh``).
  enum Mesh {
    /// Up to this presence in the first run there is no second.
    static let secondRun = 0.2
    /// The side of the network's region in sides of the face's box (MediaPipe's `face_landmark`).
    static let region = 1.5
  }

  /// How far a head may be turned (``HeadPose``).
  enum Pose {
    /// The accepted deviation from the requested turn, in degrees: selfies are seldom exactly frontal.
    static let tolerance = 26.0
    /// The same for a front: a head that looks slightly past the camera still passes as one.
    static let frontTolerance = 40.0
    /// Nobody is warned of a head that is turned less, in degrees: it shows both eyes and cheeks, as a portrait taken a
    /// little from the side does on purpose.
    static let noticeable = 35.0
  }

  /// Which face is the main one (``FaceLocator``).
  enum Locator {
    /// A face with at least this part of the area of the largest one is equally prominent.
    static let equalArea = 0.6
    /// The part of a face's box that has to be inside the photo.
    static let whole = 0.88
    /// How much less a face in a corner counts than one in the middle, as a part of its area.
    static let cornerLoss = 0.5
    /// Heads reach beyond the boxes of their faces by these parts of their sides. So many of them that touch, none with less
    /// than this part of the area of the main one, cannot be parted.
    static let touching = (across: 0.25, above: 0.4, area: 0.3, most: 4)
    /// How many times as sharp as a face out of focus another one is that was meant.
    static let sharper: Float = 1.5
  }

  /// How the focus is judged (``FaceSharpness``).
  enum Sharpness {
    /// The width to which a face is scaled before it is measured, in pixels: detail below a 160th of a face is not missed
    /// in a portrait.
    static let width = 160
    /// Narrower faces of the photo, in pixels, are not measured: they lack detail in any focus, and `low_resolution`
    /// says so.
    static let minimumFaceWidth = 128.0
    /// Narrower faces, in pixels of the searched picture, are not compared with others.
    static let smallestCompared = 48.0
    /// The sharpness below which a face is out of focus. Of 90 portraits, none has less than 0.11; blurred by
    /// 1.5 % of the face's width, all have less than 0.07.
    static let outOfFocus: Float = 0.1
    /// The parts of all pixels that are darker than the dark end of the contrast, and than its bright end.
    static let contrast = (dark: Float(0.05), bright: Float(0.95))
    /// With less contrast, of 1, nothing is measured.
    static let leastContrast: Float = 0.04
    /// The part of all edges that are weaker than those that count.
    static let edges: Float = 0.98
    /// A face of fewer visible pixels to a side is not measured.
    static let smallestSide = 16
  }

  /// When others could not be left out (``FacesInView/meetOthers(networks:opacity:)``).
  enum Others {
    /// The part of another face's box that is seen, from which it counts as shown.
    static let shown = 0.25
    /// How long the border between two people is, in heights of the main face, from which they touch: an arm that
    /// reaches over is shorter.
    static let border = 0.25
  }

  /// Eyes of any portrait.
  enum Eyes {
    /// Up to this yaw, in degrees, both eyes are seen, so that their opening can be measured.
    static let largestYaw = 45.0
    /// The opening below which an eye counts as closed. Of 248 portraits, five have less: lowered lids and eyes that smile.
    static let narrowest = 0.172
  }

  /// The limits of pose and expression for a passport, with room for the error of the face mesh; their source is named at
  /// ``PassportRules``.
  enum Passport {
    /// In degrees.
    static let largestRoll = 8.0
    static let largestYaw = 10.0
    static let largestPitch = 15.0
    /// Lips that touch measure up to 0.04.
    static let widestMouth = 0.08
    /// Open eyes of a neutral face measure 0.2 and more. Lids that are nearly shut were measured at 0.17, so that less than
    /// the usual opening is told of.
    static let narrowestEye = 0.2
  }
}
