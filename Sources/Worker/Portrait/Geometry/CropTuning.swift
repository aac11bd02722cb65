/// The numbers by which the square of the headshot is chosen: places, margins and the cost of faults.
///
/// A reason or a source stands where one is known. What a change does shows in the sheets of the regression tests
/// (CONTRIBUTING.md, Tests).
enum CropTuning {
  /// The square from the face alone (``CropPlanner``).
  enum Planner {
    /// The height of the face, from chin to forehead, as a part of the square's side.
    static let faceHeight = 0.375
    /// How far down the square the eyes are.
    static let eyeHeight = 0.41
    /// A head that leans no further than this, in degrees, keeps its lean: it is a pose, not a crooked camera.
    static let naturalLean = 8.0
    /// The largest roll that is corrected, in degrees; heads that lean further keep the rest.
    static let maximumRotation = 10.0
    /// Faces narrower than this, in pixels of the photo, are refused; below the second number there is a warning, and below
    /// the third a graver one.
    static let minimumFaceWidth = 40.0
    static let comfortableFaceWidth = 200.0
    static let poorFaceWidth = 95.0
    /// The side of the region in sides of the square: the networks need to see the person's surroundings.
    static let surroundings = 1.4
    /// A face wider than high counts as so many of its widths high.
    static let wideFace = 1.1
    /// A lean beyond this, in degrees, is not undone in the box: at 45 nothing would be left to tell the sides by.
    static let largestLevelled = 30.0
    /// Where boxes and eyes may lie, in sides of the photo; everything else is no face.
    static let plausible = -2.0...3.0
  }

  /// Pictures that are no squares (``PictureShape``).
  enum Shape {
    /// The part of what a picture is taller than wide that comes above the head.
    static let aboveHead = 0.27
  }

  /// The square where the photo ends close to the person (``CropFitter``).
  enum Fitter {
    /// The smallest side: smaller squares would cut into the face. Below 0.5 the face fills the picture, as it does in a
    /// photo that shows nothing else.
    static let smallestSize = 0.28
    /// Below this side the head fills the picture; rather than that, a shoulder ends inside it.
    static let comfortableSize = 0.7
    /// Where the eyes may lie, in sides of the square from its top: high up only in a photo that cuts the forehead.
    static let eyeRange = 0.12...0.52
    /// How far down they may be below hair for which there is no room above them otherwise.
    static let eyesBelowHighHair = 0.60
    /// The part of a row or column that may show a cut, because segmentation is never exact.
    static let tolerance = 0.012
    /// The room around the face, in sides of its box.
    static let faceMargin = 0.12
    /// The room above the hair, in sides of the square, where the photo has it.
    static let crownMargin = 0.035
    /// The room below the chin, in sides of the square.
    static let chinMargin = 0.08
    /// The yaws, in degrees, from which a face is centred with its hair: not at all, and fully.
    static let turn = (least: 12.0, full: 24.0)
    /// The most that a square is moved for the centre of the hair, in sides of the ideal one.
    static let hairShift = 0.1
    /// Where hair, hats and ears are: above the mouth, so far down the face's box, and so many face widths to either side.
    static let head = (mouth: 0.8, reach: 1.25)
    /// A row with no more of the head than this part of the field, one 64th, is noise.
    static let noise = 64
    /// The probability from which a pixel at the photo's end is the person.
    static let person: Float = 0.4
    /// The steps in which squares are tried, in sides of the ideal square.
    static let step = (coarse: 0.02, fine: 0.005)
    /// How many coarse steps the square is shrunk, and moved to either side; and fine ones likewise in all directions.
    static let steps = (size: 36, shift: 9, fine: 3)

    /// The cost of faults; a square whose side is half the ideal one costs 0.5 for that. Found by looking at the squares of
    /// 160 photos, about 30 of which leave a choice.
    enum Cost {
      /// For each side less than ``comfortableSize``, in addition.
      static let tightness = 3.0
      /// For eyes lower than the ideal height: little is not noticed, much looks like a mistake.
      static let lowEyes = (linear: 1.5, square: 25.0)
      static let highEyes = 2.0
      /// In addition, for eyes above this height: rather than that, the square is tighter.
      static let veryHighEyes = (from: 0.3, each: 20.0)
      static let offCentre = 6.0
      /// For each area of the face box that the square takes from the hair.
      static let lostHair = 3.0
      static let missingMargin = 6.0
      /// For each area of the face box that the photo shows, but the square does not.
      static let lostFace = 60.0
      /// For hair that touches the upper edge although the photo shows all of it; each side of the square of missing room.
      static let cutCrown = (any: 0.15, each: 8.0)
      /// For a cut head, neck or chest: anything but that.
      static let cut = (any: 10.0, each: 20.0)
      static let cutShoulder = (any: 0.3, each: 3.0)
    }
  }

  /// Squares whose edge is nearly the photo's.
  enum EdgeSnap {
    /// How far a level square may be moved or shrunk, in parts of its side, so that its edge is the photo's: a tenth of what
    /// one would notice, and more than the steps of ``CropFitter`` and its field leave over.
    static let reach = 0.012
  }

  /// Heads in photos for a passport, besides what the rules say (``PassportGeometry``).
  enum Passport {
    /// The eyes lie half-way between chin and crown: the crown itself is under the hair. Farkas, "Anthropometry of the Head
    /// and Face", 1994: 0.49 to 0.52 of the height for adults of both sexes.
    static let eyesInHead = 0.5
    /// The least room above the hair.
    static let hairMargin = 0.02
    /// Two rules whose parts of the height differ by less are the same: millimetres are rounded differently.
    static let sameRule = 0.006
    /// Where a rule's head is between the least and the most that it allows: usually, and for high hair.
    static let usualHead = 0.35
    static let smallestHead = 0.05
    /// The part of the room outside of the head that is below it, and the least below it in sides of the picture.
    static let belowHead = 0.6
    static let leastBelow = 0.03
    /// The heights of the head that are tried, from the usual one to the smallest.
    static let headSteps = 9
    /// Hair is looked for so many face widths to either side; a row has it from so many face widths on, and at least so many
    /// pixels.
    static let hair = (reach: 0.7, least: 0.12, leastPixels: 2)
  }

  /// What is examined to choose the square (``HeadshotMaker``).
  enum Field {
    /// The side of the field that is examined to choose the square, in sides of the ideal square.
    static let side = 1.3
    /// A head is levelled unless that makes the square smaller by this factor.
    static let levelling = 1.1
    /// The person is told of a square smaller than this, in sides of the ideal one.
    static let tight = 0.85
  }
}
