import CVips
import Imaging
import Portrait

extension VersionsJob: WorkerJob {
  func perform(on input: InputBytes, at bench: Workbench) throws(ImagingError) -> JobOutcome<Report> {
    let libvips = (0..<3).map { String(cvips_version(Int32($0))) }.joined(separator: ".")
    let problem = modelsProblem(bench)
    let report = Report(
      libvips: libvips, readableFormats: ImageFormat.allCases.filter(\.isReadable), modelsUsable: problem == nil,
      modelsProblem: problem)
    return JobOutcome(report: report)
  }

  private func modelsProblem(_ bench: Workbench) -> String? {
    do {
      _ = try bench.studio()
      return nil
    } catch {
      return error.message
    }
  }
}

extension ImageFormat {
  /// True when this installation of libvips has the loader.
  fileprivate var isReadable: Bool {
    switch self {
    case .jpeg: cvips_has_operation("jpegload_buffer")
    case .png: cvips_has_operation("pngload_buffer")
    case .webp: cvips_has_operation("webpload_buffer")
    case .heic, .avif: cvips_start_heif() == 0 && cvips_has_operation("heifload_buffer")
    }
  }
}
