import Imaging
import Testing

@testable import atelier

@Suite("What doctor says of the libraries")
struct DoctorLibraryTests {
  private static func finding(_ libheif: String?, lacking: [ImageFormat]) -> DoctorCommand.Finding {
    let readable = ImageFormat.allCases.filter { !lacking.contains($0) }
    return DoctorCommand.libraryFinding(
      VersionsJob.Report(libvips: "8.14.1", libheif: libheif, readableFormats: readable, modelsUsable: true))
  }

  @Test("doctor names both libraries, and what is missing with its packages")
  func sentences() {
    let whole = Self.finding("1.15.1", lacking: [])
    #expect(whole.ok)
    #expect(
      whole.sentence == "libvips 8.14.1 with libheif 1.15.1 reads every format, also HEIC as telephones write it.")
    let noHEVC = Self.finding("1.19.8", lacking: [.heic])
    #expect(!noHEVC.ok)
    #expect(noHEVC.sentence.hasPrefix("libvips 8.14.1 with libheif 1.19.8 cannot read heic. "))
    #expect(noHEVC.sentence.contains("libheif-plugin-libde265") && !noHEVC.sentence.contains("dav1d"))
    let neither = Self.finding(nil, lacking: [.heic, .avif])
    #expect(neither.sentence.hasPrefix("libvips 8.14.1 with no libheif cannot read heic, avif. "))
    #expect(neither.sentence.hasSuffix("libheif-plugin-libde265, libheif-plugin-dav1d."))
  }
}
