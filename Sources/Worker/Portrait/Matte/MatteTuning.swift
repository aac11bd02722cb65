/// The numbers by which the person is separated from the background, in the order of the work. Pixels are the matte's
/// (``MatteBuilder/size``), opacities and probabilities 0…1.
///
/// A reason or a source stands where one is known. What a change does shows in the sheets of the regression tests
/// (CONTRIBUTING.md, Tests).
enum MatteTuning {
  /// The networks' views of the person (``PersonSegmenter``).
  enum Segmenter {
    /// How far a view's outermost values go on beyond its edge, in sides of the view, and their weight there. A view
    /// that is rotated with a leaning head and still lies inside the photo leaves out a strip along the photo's edge,
    /// which would be taken for background.
    static let beyond = (reach: 0.03, weight: Float(0.02))
    /// A view's weight grows from its edge inwards over this part of its side, in all views but the widest.
    static let fade = 0.08
    /// The sides of the views that are averaged, in sides of the square; the widest first.
    static let scales = [1.25, 1, 0.8]
  }

  /// The networks that are asked about doubtful areas (``SecondarySegmenter``), and what they decide
  /// (``SecondOpinion``).
  enum Secondary {
    /// They are asked where the cores of thick uncertain areas have at least so many pixels.
    static let leastDoubt = 250
    /// The side of U²-Net-p's view in sides of the square, as of the widest view.
    static let salienceView = 1.25
    /// The square of the pose network, in heights of the face's box: its side, and how far below the face its centre is.
    /// With these, its masks of 26 portraits differed least from what was certain.
    static let body = (side: 7.0, down: 2.5)
    /// An area at least twice `reach` and one pixels thick is background where the mean of the views is at most `mean` and
    /// the others are below theirs.
    /// It is as well where the mean of the three is below `together`, if its colours say so: of 79 such areas, all three
    /// agreed about 8, and their mean told 15.
    static let kept = (mean: Float(0.91), salience: Float(0.16), pose: Float(0.73), together: Float(0.45), reach: 7)
    /// Nothing below this part of the height: what the photo's lower edge cuts, all networks see badly.
    static let lowest = 0.85
    /// A lost area is the person where the mean of the three is above `together`, and the others are above theirs: a lamp
    /// stands out, too. It is at least twice `reach` and one pixels thick, and no further than `reach` from the person.
    static let lost = (together: Float(0.62), salience: Float(0.7), pose: Float(0.5), reach: 3)
    /// The part of what is certain by the mean of the views that a network must see to be heard. In 24 of 26 portraits,
    /// U²-Net-p saw 81 to 100 %; in two, it missed the dark hair or scarf around the face.
    static let sight = (certain: Float(0.97), part: 0.6)
    /// How far beside an area its neighbours' colours are taken from, in pixels of the matte, the fewest that say something,
    /// the most clusters that are told apart, and by how many standard deviations a colour has to be nearer to the person's.
    static let colours = (reach: 24, leastSamples: 40, clusters: 3, nearer: Float(1))
    /// The probabilities that areas get; colours still may change them. And the one below which an area's neighbour is
    /// the background.
    static let result = (background: Float(0.05), person: Float(0.95), beside: Float(0.3))
  }

  /// Areas about which the views disagree (``ViewDisagreement``).
  enum Disagreement {
    /// The means that count as uncertain.
    static let uncertain: ClosedRange<Float> = 0.1...0.9
    /// Uncertainty that reaches no further than this to either side, in pixels of the matte, is an edge: a 36th of the
    /// head's width.
    static let reach = 5
    /// The radius in pixels within which the means of the views are taken.
    static let neighbourhood = 8
    /// An area whose outline borders the background with no larger part than this is inside the person, such as a print.
    static let leastContact = 0.02
    /// The logarithm of the odds that an area is the person, by a logistic regression over 269 areas of 200 photos that were
    /// told by eye: the weights of the two widest views, and of the part of its outline that borders the person, for gaps
    /// between hair and shoulder are enclosed by it. A fit to 264 areas of 148 photos that were collected later told 200 of
    /// these rightly, each photo left out; this one, which had not seen them, 208. With the two other networks as further
    /// opinions (``Secondary``), it was 209, and more pictures became worse than better.
    static let weights = (widest: Float(5.3), second: Float(2.9), enclosed: Float(-3.3))
    /// Half a unit less than the regression's: what is left of a chair is worse than what is missing of a sleeve.
    static let constant: Float = -3.9
    /// A larger area is rather another person: the logarithm of its odds loses one for each unit of pixels beyond.
    static let large = (from: Float(20_000), unit: Float(3_000))
    /// Where the widest view alone is surer than this, it is the person in any case, such as the brim of a hat.
    static let sure = (from: Float(0.8), steepness: Float(6))
    /// How much surer the result is than the odds, and its limits. Colours still may change it.
    static let steepness: Float = 3
    static let limits: ClosedRange<Float> = 0.15...0.95
    /// The head with short hair beyond the face's box, in its sides: to either side, and above.
    static let head = (side: 0.1, above: 0.4)
    /// What stands straight above the head: to either side of the middle, and above the face's box.
    static let crown = (side: 0.3, above: 1.3)
  }

  /// The main face and those of others (``FacesInView``).
  enum Faces {
    /// A head no further than this to the side of the main face's centre, and further than this below it, in face heights,
    /// is beside the chest.
    static let chest = (across: 1.2, down: 0.2)
    /// Where there may be hair, in sides of the face's box: to either side of its centre, and down below it.
    static let hair = (reach: 1.5, below: 0.75)
    /// The ellipse of the face, in sides of its box: how far it begins above the box, ends below the box's top, and reaches
    /// to either side of its centre.
    static let hull = (above: 0.2, below: 1.02, reach: 0.52)
    /// The head of another is certainly not the person within so many of its heights; what else is nearer to it than to the
    /// person has at most this probability.
    static let others = (head: 0.55, most: 0.35)
    /// Bodies are wider than heads, and longer: what squared distances across and down count less below the chin.
    static let body = (across: 4.0, down: 9.0)
  }

  /// What is known before the opacity is measured (``Trimap``).
  enum Trimap {
    /// The networks' mean from which a pixel may be the person, and from which it certainly is.
    static let confidence = (possible: Float(0.12), certain: Float(0.93))
    /// Around the networks' outline, in pixels: those inside and outside of it that stay unknown, for hair reaches further
    /// out than the networks say; and from where on nothing is unknown.
    static let coarse = (inner: 4, outer: 6, band: 16)
    /// Holes up to this part of the picture, one 200th, are badges or shadows.
    static let hole = 200
    /// Along the known outline, the pixels on either side that stay unknown: of clothes and skin, and where there may be
    /// hair.
    static let fine = (solid: 3, loose: 7)
    /// So many pixels less on the inside of hair.
    static let insideHair = 2
  }

  /// Colours as evidence for the networks' uncertain pixels (``ColourEvidence``).
  enum Evidence {
    /// The weight of the networks' log odds beside those of the colours.
    static let priorWeight: Float = 0.7
    /// Added to the frequency of each box: colours rarer than this are no evidence.
    static let rarity: Float = 2e-4
    /// Colours further than so many pixels from the uncertain edge do not count: they are of another place.
    static let reach = 44
    /// The networks' probability, and the logarithm of the colours' odds, count no further than this.
    static let limits = (prior: (least: Float(0.02), most: Float(0.98)), evidence: Float(4))
  }

  /// The boundary that moves to an edge of the picture (``RandomWalker``).
  enum Walker {
    /// Colour differences from this size on, of 1, separate pixels.
    static let contrast: Float = 0.028
    /// The weight of the networks' probability, the prior, beside a neighbour's.
    static let priorWeight: Float = 0.03
    /// Sweeps from the coarsest level to the finest: long distances are covered on the coarse ones.
    static let sweeps = [160, 60, 24]
    /// No level is narrower than half of this, in pixels.
    static let coarsest = 32
    /// How far each sweep goes beyond the mean of the neighbours (successive over-relaxation, below 2).
    static let relaxation: Float = 1.7
  }

  /// The outline (``Silhouette``).
  enum Silhouette {
    /// Pixels with a higher probability than this are kept, even in thin parts.
    static let sure: Float = 0.85
    /// Notches are up to twice as wide as this, in pixels, and the networks at least so sure.
    static let notch = (reach: 16, confidence: Float(0.8))
    /// What is thinner than twice this, in pixels, is no limb but an edge of the background.
    static let limb = 4
    /// Limbs are this many pixels wider than their cores.
    static let around = 5
    /// The radius in pixels within which the majority smooths the outline; and within which, at half the size, it tells thin
    /// parts.
    static let majority = (outline: 4, thin: 5)
  }

  /// Where there may be hair, and single hairs show (``HairZone``).
  enum HairZone {
    /// Single hairs reach up to this many pixels beyond the outline.
    static let reach = 18
    /// Single hairs are looked for down to so many face heights under the face's centre: further down, what stands out from
    /// the background between neck and shoulder is something else.
    static let lowest = 0.25
    /// Locks and earrings, which the networks see faintly, reach further out and further down; with a margin of so many
    /// pixels.
    static let faint = (confidence: Float(0.1), margin: 4, reach: 45, lowest: 1.6)
    /// Clothes and skin keep their solid edge, which reaches this far.
    static let solid = 4
    /// The background is judged within about this many pixels.
    static let neighbourhood = 28
    /// The standard deviation of all channels together up to which a background is even, of 1.
    static let evenness: Float = 0.052
    /// What differs more from its mean, in all channels together, stands out.
    static let difference: Float = 0.06
    /// Fewer pixels of background in a window, as a part of it, say nothing.
    static let leastBackground: Float = 0.02
    /// The radius in pixels over which the looseness of the edge changes.
    static let transition = 6
  }

  /// Background between strands of hair (``HairGaps``).
  enum HairGaps {
    /// Gaps are looked for up to this many pixels inside the outline: deeper down, what looks like a gap is a highlight.
    static let depth = 40
    /// The background's colours are those from where hairs no longer reach up to so many pixels outside the outline.
    static let outside = (from: 8, to: 60)
    /// The hair's colours are those of the crown this many pixels inside the outline.
    static let crown = (from: 10, to: 40)
    /// The confidence of the networks from which on the crown's colours are the hair's; in gaps it was 0.85–0.96.
    static let confidence: Float = 0.97
    /// In standard deviations: the most from the background, the least from hair, from skin, and from skin below the chin,
    /// where the face's shadow makes it darker.
    static let limits = (background: Float(2.5), hair: Float(4), skin: Float(3), neck: Float(4))
    /// What has the background's colour is measured if the networks' confidence is below `confidence`, or if, above the
    /// chin, its brightness differs by at least `contrast` deviations of noise from that of most of the hair. It has to
    /// differ from all hair by `hair` standard deviations, and the part `surrounded` of its rim has to be hair. The hue does
    /// not matter then.
    static let doubt = (confidence: Float(0.9), contrast: Float(8), hair: Float(2.5), surrounded: Float(0.6))
    /// The least area in pixels that is measured for its contrast alone: smaller ones were as often light on hair.
    static let leastContrasting = 50
    /// Gaps are looked for down to so many face heights under the face's centre: to where an earring, the neck and a
    /// shoulder enclose the background.
    static let lowest = 1.1
    /// Skin is looked for up to this part of the face's width beside it: an ear's.
    static let ears = 0.2
    /// Before a background of another hue, single hairs blurred over the gap give a mixture of both: the least difference of
    /// hue and the most misfit, in deviations of noise, and the most that is hair.
    static let mixture = (hue: Float(16), misfit: Float(4), part: Float(0.75))
    /// The cosine of the angle of hue, 8°, within which more light on the hair would give the colour of the wall.
    static let sameHue: Float = 0.99
    /// Wider clusters of the background, in deviations of noise, say nothing about a pixel.
    static let widest: Float = 6
    /// Clusters of the background with a smaller part of the samples are chance.
    static let leastShare: Float = 0.06
    /// Fewer samples are no evidence.
    static let leastSamples = 40
    /// Sectors around the face, each with the colours of its own background.
    static let sectors = 8
    /// Every which row and column is sampled.
    static let step = 3
    /// What is within this many pixels of a gap's rim is not certain.
    static let rim = 3
    /// Gaps without a certain middle open only this near to the outline, where strands part.
    static let shallow = 12
    /// Smaller gaps are noise.
    static let leastArea = 12
    /// The mean confidence of the networks from which on a gap is not opened: it is a clip, or the light on a bald head. It
    /// counts this many pixels inside the outline, since at the outline it is always low. In gaps it was 0.83–0.96. What
    /// contrasts with the hair is measured even so (`doubt`).
    static let certain = (confidence: Float(0.975), inside: 5)
    /// The opacity is measured up to this many pixels around a gap.
    static let margin = 3
    /// The probability of the person, before the opacity is measured, in a gap and around it.
    static let prior = (open: Float(0.25), around: Float(0.6))
    /// From this many pixels of the background's colour in the hair on, there is a warning.
    static let leastTold = 30
    /// The most clusters of colours that are told apart.
    static let clusters = (hair: 5, skin: 3, clothes: 4, background: 3)
  }

  /// Which colours are usual somewhere (``ColourClusters``).
  enum Clusters {
    /// Nearer to grey, in deviations of noise, a hue is not clear: that of a beige wall.
    static let clearHue: Float = 8
    /// The deviations of noise in brightness and in hue, of 1: about eight and three levels, those of a JPEG of medium
    /// quality on an even wall.
    static let noise = (brightness: Float(0.03), hue: Float(0.012))
    /// How often the samples are assigned to the nearest mean.
    static let rounds = 3
  }

  /// Opacities from nearby colours (``SampleMatting``).
  enum Samples {
    /// The rays from each pixel, and their length in pixels.
    static let rays = 8
    static let reach = 48
    /// How many pixels beyond the first background pixel a second sample is taken.
    static let further: Float = 8
    /// Colour differences of this size, of 1, are noise.
    static let noise: Float = 0.035
    /// Every pixel of a ray up to this one, and every second one further out.
    static let near = 24
    /// What a pair costs for each pixel of its distances.
    static let distance: Float = 0.02
    /// What a pair costs for an opacity that differs from the mask's by 1 (squared), and for colours that say nothing.
    static let costs = (deviation: Float(3), vague: Float(0.5))
    /// The squared difference of two colours that is trusted by half.
    static let vague: Float = 0.006
    /// Outside the outline, where the mask is below `below`, opacities up to that of noise, and to no more than `most`, are
    /// none.
    static let haze = (below: Float(0.3), most: Float(0.5))
  }

  /// Opacity as a function of the colour (``GuidedFilter``).
  enum Filter {
    /// A mask whose mean is this near to 0 or 1 is 0 or 1 in the whole window.
    static let uniform: Float = 1e-5
    /// The radius of the window in pixels, and the variance of colours, of 1, below which they are noise.
    static let radius = 3
    static let epsilon: Float = 3e-4
  }

  /// From the filter's value to the opacity (``EdgeCurve``).
  enum EdgeCurve {
    /// The values that become 0 and 1 at a solid edge, in hair, and in hair before an even background.
    static let solid = (from: Float(0.17), to: Float(0.98))
    static let hair = (from: Float(0.1), to: Float(0.94))
    static let single = (from: Float(0.05), to: Float(0.95))
  }

  /// How the steps follow each other (``MatteBuilder``).
  enum Builder {
    /// The radius in pixels of the soft step that hair begins with.
    static let softStep = 2
    /// The least probability of what is inside the outline, and the most of what is outside, before opacities are measured.
    static let sides = (inside: Float(0.6), outside: Float(0.02))
    /// The radius in pixels of the window that limits opacities outside the outline, and how many times its mean a single
    /// hair may have: it fills less than half of it.
    static let limit = (radius: 2, singleHair: Float(2))
    /// Parts whose value is above `from`, with a rim of so many pixels, have to be connected to a face.
    static let islands = (from: Float(0.24), rim: 3)
  }

  /// The colours of person and background where they mix (``LayerEstimator``).
  enum Layers {
    /// The radii in pixels of the means. The wide one is taken at a quarter of the size, which holds all of it.
    static let wide = 44
    static let narrow = 4
    /// Every which row and column of the narrow window counts.
    static let step = 2
    /// The opacities between which a pixel shows both.
    static let mixed: ClosedRange<Float> = 0.004...0.996
    /// So many pixels around mixed ones, a larger picture may show both.
    static let margin = 3
  }

  /// The tint of a saturated background (``SpillSuppressor``).
  enum Spill {
    /// The spill reaches this many pixels inside hair, and inside skin and clothes.
    static let reach = (hair: 8, solid: 2)
    /// The saturations of the background between which the correction sets in; a wall in warm light has 0.05.
    static let saturation = (from: Float(0.09), to: Float(0.18))
    /// Beside the standard deviation of the person's hue inside: two levels of noise.
    static let tolerance: Float = 0.008
    /// How much more colour than the lit face skin in shadow has, such as an ear through which light shines.
    static let shadedSkin: Float = 1.5
    /// The hue of darker colours is noise.
    static let darkest: Float = 0.05
    /// The background and the inside of the person are averaged over about this many pixels, at a quarter of the size.
    static let blur = 3
    /// The opacities up to which a pixel shows the background alone, and from which on the person alone.
    static let certain = (background: Float(0.02), person: Float(0.98))
    /// Fewer chosen pixels around a place, as a part of the window, are none.
    static let leastPart: Float = 0.005
    /// The part of the window that the person covers from which on a pixel keeps its tint, and how steeply that ends.
    static let rim = (covered: Float(0.99), steepness: Float(4))
  }
}
