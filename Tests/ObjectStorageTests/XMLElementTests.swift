import Support
import Testing

@testable import ObjectStorage

@Suite("The reader of answers in XML")
struct XMLElementTests {
  @Test("an answer is read with its entities and without its attributes")
  func answer() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/" a='>'>
        <Name>pictures</Name><Empty/><Also ></Also>
        <Contents><Key>a&amp;b&lt;&gt;&quot;&apos;&#233;&#xe9;</Key><Size> 5 </Size></Contents>
        <Contents><Key>c</Key></Contents>
      </ListBucketResult>

      """
    let root = try XMLElement(parsing: Array(text.utf8))
    #expect(root.name == "ListBucketResult")
    #expect(root.child("Name")?.text == "pictures")
    #expect(root.child("Empty")?.text == "" && root.child("Also")?.text == "")
    #expect(root.children("Contents").compactMap { $0.child("Key")?.text } == ["a&b<>\"'éé", "c"])
    #expect(root.children("Contents").first?.child("Size")?.text == " 5 ")
    #expect(root.text == "")
  }

  @Test("an answer that is no XML, or more than is needed of it, is refused", arguments: [
    "", "text", "<a>", "<a></b>", "<a/><b/>", "<a/>b", "<a><b></a></b>", "<a b></a>", "<a b=c/>", "<a b='<'/>", "<a&amp;/>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<a>&b;</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&#;</a>", "<a>&#+1;</a>",
    "<a>&amp</a>", "<a><!-- b --></a>", "<a><![CDATA[b]]></a>", "<a><?b?></a>", "<?xml", "<a>\u{1}</a>", "<1/>", "< a/>",
    "<a/ >", "<a b='c'd='e'/>", "<html><body>Bad Gateway<br></body></html>",
    String(repeating: "<a>", count: 17) + String(repeating: "</a>", count: 17),
  ])
  func refused(text: String) {
    #expect(throws: XMLElement.Malformed.self) { try XMLElement(parsing: Array(text.utf8)) }
  }

  @Test("bytes that are not UTF-8 are refused")
  func encoding() {
    #expect(throws: XMLElement.Malformed.self) { try XMLElement(parsing: Array("<a>".utf8) + [0xFF] + Array("</a>".utf8)) }
  }

  @Test("random answers neither stop the process nor take long", arguments: 0..<100 as Range<UInt64>)
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let parts = [
      "<a>", "</a>", "<", ">", "/", "&", "&amp;", "&#x41;", "a", "\"", "'", "=", " ", "<?xml", "?>", "<a ", "é", ";",
    ]
    for _ in 0..<100 {
      let text = (0..<random.next() % 40).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      _ = try? XMLElement(parsing: Array(text.utf8))
    }
  }
}
