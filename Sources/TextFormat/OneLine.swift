/// The text with a space for each line feed and control character: what somebody else wrote must not make
/// lines of its own.
package func oneLine(_ text: some StringProtocol) -> String {
  String(
    text.map { character in
      let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
      return character.isNewline || isControl ? " " : character
    })
}
