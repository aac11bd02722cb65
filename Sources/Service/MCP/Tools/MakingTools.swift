import AtelierProtocol
import JSON

extension Tool {
  /// The tools that make pictures or find places.
  static let makingTools = [
    Tool(
      name: "make_headshot", title: "Make a headshot",
      description: """
        Makes a professional portrait from a photo of one person: finds the face, crops it well, \
        and replaces the background. \
        Takes about a second and costs nothing: it works on this computer and the photo does not leave it, unless provider \
        names another one. Use edit_photo for any other change.
        """,
      parameters: [
        photo("The photo, with one face to be seen clearly."),
        Parameter(
          name: "background", kind: .background,
          description: """
            auto (the default: a plain studio backdrop, or the photo's own background, out of focus, where the person \
            cannot be cut out well), professional (the studio backdrop in every case), casual (an everyday place, out of \
            focus), white, transparent, keep (the photo's own), or a colour such as #1e90ff.
            """),
        Parameter(
          name: "format", kind: .choice(PictureFormat.allCases.map(\.rawValue)),
          description: "The format of the file. Default: png for a transparent background, otherwise jpeg."),
        Parameter(
          name: "quality", kind: .integer(PictureQuality.range),
          description: "Of a jpeg or webp: 1 gives the smallest file, 100 the most exact picture. Default 92."),
        Parameter(
          name: "max_bytes", kind: .integer(PictureBytes.range),
          description: "The most bytes of a jpeg or webp, as portals for passports demand."),
        Parameter(
          name: "min_bytes", kind: .integer(LeastPictureBytes.range), description: "The fewest bytes of a jpeg, likewise."),
        Parameter(
          name: "shape", kind: .choice(["1:1", "4:5", "3:4", "2:3", PictureCrop.passport.rawValue, wholeShape]),
          description: """
            The shape, width:height (default 1:1); passport, a photo for a passport, on white, of 35 × 45 mm unless \
            passport_size names another; or whole, the whole frame of the photo. Tell the person the warnings of a passport.
            """),
        Parameter(
          name: "passport_size", kind: .text(longest: 32),
          description: """
            The country of a passport in two letters, such as us or nl, or the size of its photo in print, such as 36x47 \
            (in mm) or 2x2in.
            """),
        Parameter(
          name: "head_height", kind: .text(longest: 32),
          description: "How high the head is in a passport's photo, if its rule is another: 26-30 (in mm) or 70-80%."),
        Parameter(
          name: "size", kind: .integer(256...2048),
          description: "The pixels of the longest side. Default 1024; beyond that, only as many as the photo has."),
        Parameter(
          name: "pixels", kind: .text(longest: 32),
          description: "Exactly so many pixels of a passport's photo, in place of size, such as 600x750."),
        Parameter(
          name: "matte", kind: .choice(["none", "file"]),
          description: "file also makes the matte, a grayscale PNG that says how opaque the person is. Default none."),
        Parameter(
          name: "angle", kind: .choice(Angle.Name.allCases.map(\.rawValue)),
          description: """
            The direction to look in. Leave it out to keep that of the photo: this computer cannot turn a head, another \
            provider can.
            """),
        count, provider, folder,
      ], effect: .makes, isOpenWorld: true,
      work: .make { arguments, settings in
        var style = JSONObject()
        style["background"] = arguments.text("background").map(JSONValue.string)
        style["angle"] = arguments.text("angle").map(JSONValue.string)
        var output = JSONObject()
        output["format"] = arguments.text("format").map(JSONValue.string)
        for (name, value) in shape(arguments) { output[name] = value }
        output["quality"] = arguments.integer("quality").map(JSONValue.integer)
        output["maxBytes"] = arguments.integer("max_bytes").map(JSONValue.integer)
        output["minBytes"] = arguments.integer("min_bytes").map(JSONValue.integer)
        if arguments.text("matte") == "file" { output["matte"] = true }
        return try request(.headshot, arguments, settings, ["style": .object(style), "output": .object(output)])
      }),
    Tool(
      name: "change_hairstyle", title: "Try a hairstyle",
      description: """
        Shows the person of a photo with another hairstyle or beard, keeping the face. Say which: with hairstyle (an id of \
        list_hairstyles), with description, with reference, \
        or with several of them. Takes up to a minute and asks a provider \
        that needs an API key and may cost money.
        """,
      parameters: [
        photo("The photo of the person."),
        Parameter(
          name: "hairstyle", kind: .text(longest: NameLength.maximum),
          description: "The id of a hairstyle of list_hairstyles."),
        Parameter(name: "description", description: "The hairstyle in words, such as: a short bob with a fringe, chestnut."),
        reference("A picture of the hairstyle."),
        Parameter(
          name: "views", kind: .choice(["front", "all"]),
          description: "all makes four pictures: front, left, right and back. Default: front."),
        count, provider, folder,
      ], effect: .makes, isOpenWorld: true,
      work: .make { arguments, settings in
        var members = JSONObject()
        members["templateId"] = arguments.text("hairstyle").map(JSONValue.string)
        members["prompt"] = arguments.text("description").map(JSONValue.string)
        if arguments.text("views") == "all" {
          members["output"] = ["mode": .string(Generate.OutputMode.multiAngle.rawValue)]
        }
        return try request(.hairstyle, arguments, settings, members)
      }),
    Tool(
      name: "edit_photo", title: "Edit a photo",
      description: """
        Changes a photo, or an earlier result, as an instruction says; everything else stays. To refine a result, give its \
        generation id as photo. Takes up to a minute and asks a provider that needs an API key and may cost money.
        """,
      parameters: [
        photo("The photo, or the earlier result to refine."),
        Parameter(name: "instruction", isRequired: true, description: "What to change, such as: give her a red scarf."),
        reference("A further picture that the instruction mentions."),
        count, provider, folder,
      ], effect: .makes, isOpenWorld: true,
      work: .make { arguments, settings in
        try request(.edit, arguments, settings, ["prompt": .string(arguments.required("instruction"))])
      }),
    Tool(
      name: "create_picture", title: "Create a picture",
      description: """
        Makes a new picture from words alone. Takes up to a minute and asks a provider that needs an API key and may cost \
        money. To change an existing picture, use edit_photo.
        """,
      parameters: [
        Parameter(name: "prompt", isRequired: true, description: "What the picture shows, in any language."),
        reference("A picture to follow in style or content."),
        Parameter(
          name: "aspect_ratio", kind: .choice(["1:1", "3:4", "4:3", "9:16", "16:9"]),
          description: "The shape. Default: the provider's."),
        count, provider, folder,
      ], effect: .makes, isOpenWorld: true,
      work: .make { arguments, settings in
        var members: JSONObject = ["prompt": .string(arguments.required("prompt"))]
        if let ratio = arguments.text("aspect_ratio") { members["output"] = ["aspectRatio": .string(ratio)] }
        return try request(.create, arguments, settings, members)
      }),
    Tool(
      name: "find_places", title: "Find places",
      description: """
        Finds places that exist, such as shops, restaurants or museums, \
        and looks each of them up on a map. Use it instead of \
        naming places from memory, \
        and present only the places of its answer. Takes up to two minutes and asks a provider that \
        needs an API key and may cost money.
        """,
      parameters: [
        Parameter(
          name: "prompt", isRequired: true, description: "What to look for and where, such as: top coffee shops in Austin."),
        Parameter(
          name: "near", kind: .area,
          description: "Where the places should be if prompt does not say: in words, or as LATITUDE,LONGITUDE in degrees."),
        Parameter(name: "limit", kind: .integer(PlaceCount.range), description: "The most places. Default 10."),
        Parameter(
          name: "language", kind: .text(longest: NameLength.maximum),
          description: "The language for names, as a tag such as es-MX. Default: that of prompt."),
      ], output: GenerationReport.ofPlaces, effect: .makes, isOpenWorld: true,
      work: .make { arguments, settings in
        var members: JSONObject = ["prompt": .string(arguments.required("prompt"))]
        let area = arguments.text("near").flatMap(SearchArea.init(words:))
        members["near"] = try area.map { try JSONValueEncoder().encode($0) }
        members["limit"] = arguments.integer("limit").map(JSONValue.integer)
        members["language"] = arguments.text("language").map(JSONValue.string)
        return try request(.places, arguments, settings, members)
      }),
  ]

  /// What `shape` is for the whole frame of the photo.
  private static let wholeShape = "whole"

  /// The members of `output` that say how the person is placed, and how large the picture is.
  private static func shape(_ arguments: Arguments) -> JSONObject {
    var output = JSONObject()
    output["passportSize"] = arguments.text("passport_size").map(JSONValue.string)
    output["headHeight"] = arguments.text("head_height").map(JSONValue.string)
    let size = arguments.text("pixels") ?? arguments.integer("size").map(String.init)
    output["size"] = size.map(JSONValue.string)
    let isPassport = output["passportSize"] != nil || output["headHeight"] != nil || arguments.text("pixels") != nil
    switch arguments.text("shape") {
    case wholeShape: output["crop"] = .string(PictureCrop.wholeFrame.rawValue)
    case PictureCrop.passport.rawValue: output["crop"] = .string(PictureCrop.passport.rawValue)
    case let ratio?: output["aspectRatio"] = .string(ratio)
    case nil: output["crop"] = isPassport ? .string(PictureCrop.passport.rawValue) : nil
    }
    return output
  }

  private static func photo(_ description: String) -> Parameter {
    Parameter(
      name: "photo", kind: .picture, isRequired: true,
      description: "\(description) \(PictureReference.description)")
  }

  private static func reference(_ description: String) -> Parameter {
    Parameter(
      name: "reference", kind: .picture, description: "\(description) Named as the photo of edit_photo is.")
  }

  private static let count = Parameter(
    name: "count", kind: .integer(ImageCount.range),
    description: "How many variations to make. Default 1. Each costs as much as one picture.")

  private static let provider = Parameter(
    name: "provider", kind: .choice(["ondevice", "gemini", "openai"]),
    description: """
      Leave it out unless the person names one. gemini and openai receive the photo; ondevice is this computer and makes \
      headshots only.
      """)

  private static let folder = Parameter(
    name: "folder", kind: .text(longest: PathLength.maximum),
    description: "An existing folder to copy the pictures into, as an absolute path.")

  /// The params of `generate`: those of every tool, and `members`.
  private static func request(
    _ recipe: Recipe, _ arguments: Arguments, _ settings: MCPSettings, _ members: JSONObject
  ) throws -> JSONObject {
    var request: JSONObject = ["recipe": .string(recipe.rawValue)]
    for (name, value) in members { request[name] = value }
    request["image"] = try arguments.text("photo").map { try PictureReference($0, settings).image }
    request["references"] = try arguments.text("reference").map { .array([try PictureReference($0, settings).image]) }
    request["provider"] = arguments.text("provider").map(JSONValue.string)
    var output = request["output"]?.object ?? [:]
    output["count"] = arguments.integer("count").map(JSONValue.integer)
    output["directory"] = arguments.text("folder").map { .string(PictureReference.absolutePath($0, settings)) }
    if !output.isEmpty { request["output"] = .object(output) }
    // The same arguments ask for other pictures once the first are received.
    request["cache"] = .string(CachePolicy.bypass.rawValue)
    return request
  }
}
