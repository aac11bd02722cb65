import Localization

/// The rules for a passport's photo that can be measured, and the warnings for those that a photo breaks.
///
/// Source: ICAO Doc 9303-3, 3.9 and ISO/IEC 19794-5, 7.2: the head turned or lowered by at most 5° and tilted by at most 8°,
/// a neutral expression, the mouth closed, the eyes open. The limits here allow for the error of the face mesh.
enum PassportRules {
  private typealias Tuning = FaceTuning.Passport

  /// One warning for each broken rule.
  /// - Parameters:
  ///   - roll: what is left after levelling, in degrees.
  ///   - measures: nil where only the place of the face is known.
  static func warnings(
    roll: Double, yaw: Double, measures: FaceMeasures?, isHairWhole: Bool, isBodyWhole: Bool
  ) -> [PortraitWarning] {
    var broken: [Sentence] = []
    if abs(roll) > Tuning.largestRoll { broken.append("The head leans by \(whole(roll))°. Please hold it upright.") }
    if abs(yaw) > Tuning.largestYaw {
      broken.append("The head is turned by \(whole(yaw))°. Please look straight into the camera.")
    }
    if let measures {
      if abs(measures.pitch) > Tuning.largestPitch {
        broken.append(pitch(measures.pitch))
      }
      if measures.mouthOpening > Tuning.widestMouth {
        broken.append("The mouth is open. Please close it, with a neutral expression.")
      }
      if measures.eyeOpening < Tuning.narrowestEye { broken.append("An eye is closed or nearly so. Please open both eyes.") }
    }
    if !isHairWhole { broken.append("The hair does not fit in the picture above a head of the prescribed size.") }
    if !isBodyWhole {
      broken.append("The photo does not fill the picture. Please use a photo with more room around head and shoulders.")
    }
    return broken.map { PortraitWarning(kind: .passportRule, message: "For a passport: \($0)") }
  }

  private static func pitch(_ degrees: Double) -> Sentence {
    let size = whole(degrees)
    if degrees > 0 {
      return "The head is raised by \(size)°. Please look straight into the camera, held at the height of the eyes."
    }
    return "The head is lowered by \(size)°. Please look straight into the camera, held at the height of the eyes."
  }

  private static func whole(_ degrees: Double) -> Int { Int(abs(degrees).rounded()) }
}
