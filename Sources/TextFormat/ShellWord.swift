import Foundation

/// Words of a command line, quoted where a POSIX shell would not read them back as they are.
package enum ShellWord {
  package static func quoted(_ words: [String]) -> String {
    words.map { word in
      !word.isEmpty
        && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./=:,@%+".contains($0)) }
        ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }.joined(separator: " ")
  }
}
