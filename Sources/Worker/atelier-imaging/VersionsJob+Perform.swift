import CEmbedded
import CVips
import Imaging

extension VersionsJob: WorkerJob {
  func perform(on input: InputBytes, at context: JobContext) throws(ImagingError) -> JobOutcome<Report> {
    let libvips = (0..<3).map { String(cvips_version(Int32($0))) }.joined(separator: ".")
    let problem = modelsProblem(context)
    let report = Report(
      libvips: libvips, libheif: cvips_heif_version().map { String(cString: $0) },
      readableFormats: ImageFormat.allCases.filter(\.isReadable), modelsUsable: problem == nil, modelsProblem: problem)
    return JobOutcome(report: report)
  }

  private func modelsProblem(_ context: JobContext) -> String? {
    do {
      _ = try context.studio()
      return nil
    } catch {
      return error.sentence.text
    }
  }
}

extension ImageFormat {
  /// True when this installation of libvips has the loader; for HEIC and AVIF, whose decoders are separate, when it reads
  /// a picture as telephones write it.
  fileprivate var isReadable: Bool {
    switch self {
    case .jpeg: cvips_has_operation("jpegload_buffer")
    case .png: cvips_has_operation("pngload_buffer")
    case .webp: cvips_has_operation("webpload_buffer")
    case .heic: Self.reads(embedded_picture_heic())
    case .avif: Self.reads(embedded_picture_avif())
    }
  }

  private static func reads(_ file: embedded_file) -> Bool {
    do {
      _ = try Photo(InputBytes(file), limits: .preparation).pixels(longestSide: 64)
      return true
    } catch {
      return false
    }
  }
}
