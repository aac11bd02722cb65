import AtelierProtocol
import JSON
import Support
import Testing

@Suite("What belongs to a recipe")
struct GenerateValidationTests {
  private static let photo: JSONValue = ["path": "a.png"]

  @Test(
    "the params that belong to a recipe are accepted",
    arguments: [
      ["recipe": "headshot", "image": photo], ["recipe": "headshot", "image": ["generationId": "g"]],
      ["recipe": "headshot", "image": photo, "style": ["angle": "left"], "output": ["count": 4]],
      [
        "recipe": "headshot", "image": photo, "style": ["background": "transparent"],
        "output": ["format": "webp", "quality": 1],
      ],
      ["recipe": "headshot", "image": photo, "output": ["quality": 100]],
      ["recipe": "headshot", "image": photo, "style": ["angle": "front"], "output": ["crop": "passport", "matte": true]],
      ["recipe": "headshot", "image": photo, "output": ["crop": "passport", "passportSize": "51x51", "maxBytes": 240_000]],
      ["recipe": "headshot", "image": photo, "style": ["angle": "left"], "output": ["crop": "none", "size": "2048"]],
      [
        "recipe": "headshot", "image": photo, "style": ["background": "keep"],
        "output": ["crop": "passport", "passportSize": "2x2in", "headHeight": "1-1.375in", "size": "600x600"],
      ],
      ["recipe": "headshot", "image": photo, "output": ["minBytes": 20_000, "maxBytes": 20_000]],
      ["recipe": "headshot", "image": photo, "output": ["format": "webp", "maxBytes": 10_000]],
      ["recipe": "edit", "image": photo, "prompt": "x", "output": ["matte": false]],
      ["recipe": "headshot", "image": photo, "output": ["format": "png"]],
      ["recipe": "headshot", "image": photo, "prompt": ""], ["recipe": "headshot", "image": photo, "references": []],
      ["recipe": "hairstyle", "image": photo, "prompt": "a bob"],
      ["recipe": "hairstyle", "image": photo, "templateId": "bob"],
      ["recipe": "hairstyle", "image": photo, "references": [photo]],
      ["recipe": "hairstyle", "image": photo, "templateId": "bob", "output": ["mode": "multiAngle"]],
      ["recipe": "edit", "image": photo, "prompt": "brighter", "temperature": 1],
      ["recipe": "create", "prompt": "a lighthouse"], ["recipe": "places", "prompt": "coffee in Porto"],
      ["recipe": "headshot", "image": photo, "private": true, "output": ["inline": true]],
      ["recipe": "headshot", "image": photo, "private": true, "output": ["directory": "/tmp"]],
      ["recipe": "places", "prompt": "coffee", "private": true],
      ["recipe": "places", "prompt": "coffee", "near": "Porto", "limit": 50, "language": "pt-PT"],
      ["recipe": "places", "prompt": "coffee", "near": ["latitude": 41.15, "longitude": -8.61]],
    ] as [JSONValue])
  func accepted(params: JSONValue) throws {
    let generate = try read(Generate.self, params)
    #expect(throws: Never.self) { try generate.validate() }
  }

  @Test(
    "a missing param is named, and one that does not belong to the recipe is refused",
    arguments: [
      (["recipe": "headshot"], "/image"), (["recipe": "hairstyle", "prompt": "a bob"], "/image"),
      (["recipe": "edit", "prompt": "brighter"], "/image"),
      (["recipe": "headshot", "image": photo, "prompt": "smile"], "/prompt"),
      (["recipe": "headshot", "image": photo, "temperature": 0.5], "/temperature"),
      (["recipe": "headshot", "image": photo, "templateId": "bob"], "/templateId"),
      (["recipe": "headshot", "image": photo, "references": [photo]], "/references"),
      (["recipe": "headshot", "image": photo, "output": ["mode": "multiAngle"]], "/output/mode"),
      (["recipe": "headshot", "image": photo, "style": ["background": "transparent"], "output": ["format": "jpeg"]],
        "/output/format"),
      (["recipe": "headshot", "image": photo, "style": ["background": "transparent"], "output": ["quality": 80]],
        "/output/quality"),
      (["recipe": "headshot", "image": photo, "output": ["format": "png", "quality": 80]], "/output/quality"),
      (["recipe": "edit", "image": photo, "prompt": "x", "output": ["crop": "passport"]], "/output/crop"),
      (["recipe": "edit", "image": photo, "prompt": "x", "output": ["crop": "none"]], "/output/crop"),
      (["recipe": "headshot", "image": photo, "output": ["crop": "none", "aspectRatio": "1:1"]], "/output/aspectRatio"),
      (["recipe": "headshot", "image": photo, "output": ["passportSize": "51x51"]], "/output/passportSize"),
      (["recipe": "headshot", "image": photo, "output": ["passportSize": "35x45", "crop": "none"]], "/output/passportSize"),
      (["recipe": "create", "prompt": "x", "output": ["passportSize": "35x45"]], "/output/passportSize"),
      (["recipe": "headshot", "image": photo, "output": ["headHeight": "26-30"]], "/output/headHeight"),
      (["recipe": "headshot", "image": photo, "output": ["headHeight": "26-30", "crop": "none"]], "/output/headHeight"),
      (["recipe": "headshot", "image": photo, "output": ["format": "webp", "minBytes": 20_000]], "/output/minBytes"),
      (["recipe": "headshot", "image": photo, "output": ["minBytes": 20_001, "maxBytes": 20_000]], "/output/minBytes"),
      (["recipe": "headshot", "image": photo, "output": ["format": "png", "maxBytes": 240_000]], "/output/maxBytes"),
      (["recipe": "headshot", "image": photo, "style": ["background": "transparent"], "output": ["maxBytes": 240_000]],
        "/output/maxBytes"),
      (["recipe": "create", "prompt": "x", "output": ["matte": true]], "/output/matte"),
      (["recipe": "headshot", "image": photo, "output": ["crop": "passport", "aspectRatio": "3:4"]], "/output/aspectRatio"),
      (["recipe": "headshot", "image": photo, "style": ["angle": "left"], "output": ["crop": "passport"]], "/style/angle"),
      (["recipe": "hairstyle", "image": photo], "/prompt"),
      (["recipe": "hairstyle", "image": photo, "prompt": " \n\u{3000}"], "/prompt"),
      (["recipe": "hairstyle", "image": photo, "prompt": "x", "style": [:]], "/style"),
      (
        ["recipe": "hairstyle", "image": photo, "prompt": "x", "output": ["mode": "multiAngle", "count": 2]],
        "/output/count"
      ),
      (["recipe": "edit", "image": photo], "/prompt"), (["recipe": "create"], "/prompt"),
      (["recipe": "create", "prompt": "x", "image": photo], "/image"),
      (["recipe": "create", "prompt": "x", "image": ["generationId": "g"]], "/image"),
      (["recipe": "create", "prompt": "x", "style": [:]], "/style"),
      (["recipe": "places", "prompt": "x", "output": [:]], "/output"),
      (["recipe": "places", "prompt": "x", "image": photo], "/image"),
      (["recipe": "places", "prompt": " "], "/prompt"),
      (["recipe": "create", "prompt": "x", "near": "Porto"], "/near"),
      (["recipe": "create", "prompt": "x", "limit": 3], "/limit"),
      (["recipe": "create", "prompt": "x", "language": "pt"], "/language"),
      (["recipe": "headshot", "image": photo, "private": true], "/output"),
      (["recipe": "headshot", "image": photo, "private": true, "output": ["inline": false]], "/output"),
    ] as [(JSONValue, String)])
  func refused(params: JSONValue, member: String) throws {
    let generate = try read(Generate.self, params)
    let error = #expect(throws: AtelierError.self) { try generate.validate() }
    #expect(error?.kind == .wrongRecipeInput)
    #expect(error?.details["member"] == .string(member))
    #expect(error?.details["recipe"] == params["recipe"])
    #expect(error?.message.hasSuffix(".") == true)
  }
}
