/// The compiler that built this program.
package enum Toolchain {
  /// As far as the compiler's own version conditions tell it; no tool on the PATH is asked, since that
  /// one need not be the one that built the program.
  static var version: String {
    #if compiler(>=6.4)
      "Swift 6.4 or later"
    #elseif compiler(>=6.3.3)
      "Swift 6.3.3 or later"
    #elseif compiler(>=6.3.2)
      "Swift 6.3.2"
    #elseif compiler(>=6.3.1)
      "Swift 6.3.1"
    #elseif compiler(>=6.3)
      "Swift 6.3"
    #elseif compiler(>=6.2)
      "Swift 6.2"
    #else
      "Swift 6.1"
    #endif
  }

  package static var buildConfiguration: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }
}
