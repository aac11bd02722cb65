import AtelierProtocol
import Imaging
import JSON
import Portrait

extension HeadshotJob: WorkerJob {
  static var reusesMemory: Bool { true }

  /// The least longer side of the pixels that are kept: that of a prepared photo.
  private static let keptSide = 1280
  /// Likewise of the overview in which the face is searched for; the networks use a far smaller version.
  private static let overviewSide = 960
  private static let usualQuality = 92

  func perform(on input: InputBytes, at context: JobContext) throws(ImagingError) -> JobOutcome<Report> {
    context.tell(.decoding, 0)
    let photo = try Photo(input, limits: limits)
    do {
      try photo.keepPixels(longestSide: Self.keptSide)
      let studio = try context.studio()
      let plan = try plan(photo, studio: studio, context)
      // Decoding once more is a part of it: a step that was over does not come again.
      context.tell(.cropping, 0.25)
      // First, because the region may be large.
      let prepared = try preparation?.prepared(photo)
      let region = try photo.region(plan.region, scale: plan.scale)
      photo.forgetPixels()
      let headshot = try studio.headshot(
        region: region, plan: plan, options: headshotOptions, networks: context.networks
      ) { stage, fraction in
        context.tell(HeadshotStep(stage), 0.4 + 0.5 * fraction)
      }
      context.tell(.encoding, 0.9)
      var outcome = try outcome(headshot, original: photo.info, photoWarnings: photo.warnings, prepared: prepared)
      outcome.report.failedNetworks = context.takeFailedNetworks()
      return outcome
    } catch let error as PortraitError {
      throw ImagingError(error)
    } catch let error as ImagingError {
      throw error
    } catch {
      throw .unreadable
    }
  }

  private var headshotOptions: HeadshotOptions {
    HeadshotOptions(background: HeadshotOptions.Background(background), angle: angle, variation: variation)
  }

  /// Finds the face, and turns the photo upright. The overview's memory is freed when this returns.
  private func plan(_ photo: Photo, studio: Studio, _ context: JobContext) throws -> HeadshotPlan {
    let overview = try photo.overview(longestSide: Self.overviewSide)
    context.tell(.locating, 0.2)
    let face = try studio.locateFace(in: overview, choosesOne: !shape.isWholeFrame)
    // The prepared photo, which is made later, stands upright as well.
    photo.turn(quarterTurns: face.quarterTurns)
    return try studio.plan(for: face, photoWidth: photo.width, photoHeight: photo.height, shape: PictureShape(shape))
  }

  private func outcome(
    _ headshot: Headshot, original: ImageInfo, photoWarnings: [ImagingWarning], prepared: JobOutcome<PrepareJob.Report>?
  ) throws(ImagingError) -> JobOutcome<Report> {
    let image = headshot.image
    do {
      let pixels =
        background == .transparent
        ? try VipsImage.rgba(image.pixels, opacity: headshot.opacity, width: image.width, height: image.height)
        : try VipsImage.rgb(image.pixels, width: image.width, height: image.height)
      let density = PrintDensity(of: shape, width: image.width, height: image.height)
      let search = QualitySearch(
        maximumBytes: maximumBytes, minimumBytes: format == .jpeg ? minimumBytes : nil,
        highest: quality ?? Self.usualQuality)
      let file = try search.file { try pixels.file(as: format, quality: $0, density: density) }
      let matte = wantsMatte ? try self.matte(of: headshot, density) : []
      let warnings = photoWarnings + headshot.warnings.map { ImagingWarning(kind: $0.kind.rawValue, message: $0.message) }
      let report = Report(
        format: ImageFormat(format), width: image.width, height: image.height, original: original, warnings: warnings,
        pictureBytes: file.count, matteBytes: matte.count, prepared: prepared?.report)
      return JobOutcome(report: report, output: file + matte + (prepared?.output ?? []))
    } catch let error as ImagingError {
      throw error
    } catch {
      throw ImagingError(unencodable: error as? VipsFailure ?? VipsFailure(reason: "\(error)"))
    }
  }

  private func matte(of headshot: Headshot, _ density: PrintDensity) throws(VipsFailure) -> [UInt8] {
    try VipsImage.gray(headshot.opacity, width: headshot.image.width, height: headshot.image.height)
      .file(as: .png, quality: Self.usualQuality, density: density)
  }
}

extension PictureShape {
  fileprivate init(_ shape: HeadshotShape) {
    self.init(
      width: shape.width, height: shape.height, longestSide: shape.longestSide, placement: PictureShape.Placement(shape),
      isExact: shape.isExact)
  }
}

extension PictureShape.Placement {
  fileprivate init(_ shape: HeadshotShape) {
    if let photo = shape.passport, let head = photo.head.closed {
      self = .passport(PassportGeometry(head: head, eyes: photo.eyes?.closed))
    } else {
      self = shape.isWholeFrame ? .wholeFrame : .portrait
    }
  }
}

extension HeadshotOptions.Background {
  fileprivate init(_ background: AtelierProtocol.Background) {
    switch background {
    case .auto: self = .auto
    case .professional: self = .professional
    case .casual: self = .casual
    case .transparent: self = .transparent
    case .keep: self = .keep
    case .white: self = .colour(red: 255, green: 255, blue: 255)
    case .colour(let colour): self = .colour(red: colour.red, green: colour.green, blue: colour.blue)
    }
  }
}

extension HeadshotStep {
  fileprivate init(_ stage: HeadshotStage) {
    self =
      switch stage {
      case .cropping: .cropping
      case .segmenting: .segmenting
      case .matting: .matting
      case .lighting: .lighting
      case .composing: .composing
      case .finishing: .finishing
      }
  }
}

extension ImagingError {
  init(_ error: PortraitError) {
    switch error {
    case .modelsUnusable, .malformedImage, .cancelled:
      self.init(
        .internal, "Headshots cannot be made on this device at the moment. Please choose another provider.",
        hint: "The on-device headshot does not work in this installation. Reinstall Atelier.",
        details: ["reason": .string(error.sentence.text)])
    case .noFace, .faceCutOff:
      self.init(.noFaceFound, error.sentence)
    case .faceTooSmall(let pixels):
      self.init(.faceTooSmall, error.sentence, details: ["facePixels": .number(JSONNumber(pixels))])
    case .severalFaces(let count), .headsTouch(let count):
      self.init(.severalPeople, error.sentence, details: ["faces": .number(JSONNumber(count))])
    case .sharpBehindBlurred(let count):
      self.init(.severalPeople, error.sentence, details: ["faces": .number(JSONNumber(count + 1))])
    case .cannotTurnHead:
      self.init(.unsupportedByProvider, error.sentence)
    }
  }
}
