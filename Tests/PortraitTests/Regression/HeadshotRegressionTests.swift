import Foundation
import Testing

@testable import Portrait

/// Whether a change of the code changed what a person would see: twenty scenes against stored results.
///
/// The plan is made for the stored face, so that a crop moved by part of a pixel does not hide everything else; how far
/// the found face moved is a test of its own. `make headshot-references` writes the results anew, for a change that
/// is meant to be seen; look at the pictures and say in the commit what changed.
@Suite("The headshots stay as they are")
struct HeadshotRegressionTests {
  private static let writes = ProcessInfo.processInfo.environment["ATELIER_WRITE_HEADSHOT_REFERENCES"] != nil

  @Test("The matte and the picture of a photo are the stored ones", .disabled(if: writes), arguments: PortraitScene.all)
  func portraits(scene: PortraitScene) throws {
    let index = try #require(PortraitScene.all.firstIndex { $0.name == scene.name })
    let face = try #require(try References.faces()[scene.name]).location
    let composition = try Self.composition(of: scene, face: face)
    try Self.compare(composition.matte, tile: index)
    let picture = Digest.psnr(Digest.picture(composition.image), try References.pictures.tiles()[index])
    let detail = Digest.difference(Digest.detail(composition.image), try References.details.tiles()[index])
    #expect(picture > 48, "The picture has a PSNR of \(picture) dB.")
    #expect(detail.mean < 0.6, "The detail differs by \(detail.mean), a quarter of a level each.")
  }

  @Test("The matte of a drawn scene is the stored one", .disabled(if: writes), arguments: DrawnScene.all)
  func drawn(scene: DrawnScene) throws {
    let index = try #require(DrawnScene.all.firstIndex { $0.name == scene.name })
    try Self.compare(scene.matte(), tile: PortraitScene.all.count + index)
  }

  @Test("The matte of a drawn scene is near the truth", arguments: DrawnScene.all)
  func truth(scene: DrawnScene) {
    let differences = zip(scene.matte().opacity.values, scene.truth.values).map { abs($0 - $1) }
    let mean = differences.reduce(0, +) / Float(differences.count)
    #expect(mean < scene.tolerance, "The matte differs by \(mean).")
  }

  @Test("The face is found where it was found before", .disabled(if: writes), arguments: PortraitScene.all)
  func faces(scene: PortraitScene) throws {
    let stored = try #require(try References.faces()[scene.name])
    let photo = try scene.photo()
    let found = StoredFace(try FaceLocator().locate(in: photo))
    let width = stored.box[2] * Double(photo.width)
    for (index, place) in stored.eyes.enumerated() {
      let drift = abs(found.eyes[index] - place) * Double(index % 2 == 0 ? photo.width : photo.height) / width
      #expect(drift < 0.01, "An eye moved by \(drift) face widths.")
    }
    #expect(abs(found.box[2] / stored.box[2] - 1) < 0.015 && abs(found.box[3] / stored.box[3] - 1) < 0.015)
    #expect(abs(found.roll - stored.roll) < 0.5 && abs(found.yaw - stored.yaw) < 2)
    for (now, before) in zip(found.light, stored.light) { #expect(abs(now - before) < 0.02) }
  }

  @Test("References are written", .enabled(if: writes))
  func writeReferences() throws {
    var faces: [String: StoredFace] = [:]
    var (mattes, pictures, details): ([[UInt8]], [[UInt8]], [[UInt8]]) = ([], [], [])
    for scene in PortraitScene.all {
      let face = try FaceLocator().locate(in: scene.photo())
      faces[scene.name] = StoredFace(face)
      let composition = try Self.composition(of: scene, face: face)
      mattes.append(Digest.matte(composition.matte.opacity))
      pictures.append(Digest.picture(composition.image))
      details.append(Digest.detail(composition.image))
    }
    mattes += DrawnScene.all.map { Digest.matte($0.matte().opacity) }
    try References.write(faces)
    try References.mattes.write(mattes)
    try References.pictures.write(pictures)
    try References.details.write(details)
  }

  private static func composition(of scene: PortraitScene, face: FaceLocation) throws -> HeadshotMaker.Composition {
    let studio = try Studio()
    let photo = try scene.photo()
    let plan = try studio.plan(for: face, photoWidth: photo.width, photoHeight: photo.height)
    return try studio.composition(region: photo.region(of: plan), plan: plan, options: scene.options)
  }

  private static func compare(_ matte: Matte, tile: Int) throws {
    let (mean, largest) = Digest.difference(Digest.matte(matte.opacity), try References.mattes.tiles()[tile])
    // The sum of absolute differences of the 512 × 512 opacities, in thousands: the usual unit of mattes.
    let sad = mean / 255 * 262.144
    #expect(sad < 0.15, "The matte's SAD is \(sad) thousand.")
    #expect(largest < 26, "A block of the matte differs by \(largest) of 255.")
  }
}
