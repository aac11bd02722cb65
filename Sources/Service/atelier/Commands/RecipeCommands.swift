import ArgumentParser
import AtelierProtocol

/// `atelier edit PHOTO…`: short for `generate --recipe edit`.
struct EditCommand: PictureCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change a photo as a text says.",
    discussion: """
      Short for `atelier generate --recipe edit`, whose help explains what goes where. It takes a provider in the cloud.

        atelier edit photo.jpg --prompt "make the jacket red" -o red.png
        atelier edit --from gen_01k9w3ssq0m8v6c1xj5t2h4n7b --prompt "darker" --directory pictures
      """)

  @OptionGroup var source: SourceOptions

  @Option(name: [.short, .long], help: "What to change, in words of any language.")
  var prompt: String

  @OptionGroup var pictures: PictureOptions
  @OptionGroup var common: CommonOptions

  var folders: FolderSettings { source.folders.settings }

  func requests() throws -> [(name: String?, request: Generate)] {
    try source.requests(like: Generate(recipe: .edit, prompt: prompt))
  }
}

/// `atelier hairstyle PHOTO…`: short for `generate --recipe hairstyle`.
struct HairstyleCommand: PictureCommand {
  static let configuration = CommandConfiguration(
    commandName: "hairstyle",
    abstract: "Show another haircut on the same face.",
    discussion: """
      Short for `atelier generate --recipe hairstyle`, whose help explains what goes where. It takes a provider in the
      cloud. Words, a template and reference pictures can be combined.

        atelier templates --category short
        atelier hairstyle photo.jpg --template soft-pixie -o pixie.png
        atelier hairstyle photo.jpg --prompt "a chin-length bob" --reference bob.jpg --mode multiAngle --directory bob
      """)

  @OptionGroup var source: SourceOptions

  @Option(name: [.short, .long], help: "The hairstyle in words of any language.")
  var prompt: String?

  @OptionGroup var hair: HairstyleOptions
  @OptionGroup var pictures: PictureOptions
  @OptionGroup var common: CommonOptions

  var folders: FolderSettings { source.folders.settings }

  func requests() throws -> [(name: String?, request: Generate)] {
    var request = Generate(recipe: .hairstyle, prompt: prompt)
    hair.apply(to: &request)
    return try source.requests(like: request)
  }
}

/// `atelier create PROMPT`: short for `generate --recipe create`.
struct CreateCommand: PictureCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Make a picture from a text.",
    discussion: """
      Short for `atelier generate --recipe create`, whose help explains what goes where. It takes a provider in the cloud.

        atelier create "a lighthouse at dusk, in watercolor" --aspect-ratio 16:9 -o lighthouse.png
      """)

  @Argument(help: "What to make, in words of any language.")
  var prompt: String

  @OptionGroup var pictures: PictureOptions
  @OptionGroup var common: CommonOptions

  func requests() throws -> [(name: String?, request: Generate)] {
    [(nil, Generate(recipe: .create, prompt: prompt))]
  }
}
