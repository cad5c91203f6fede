/// How much there is to do in a call.
enum Amount {
  /// Thousandths of the usual amount. The planted slow-downs edit this number: 1010 is 1% more of everything.
  static let perThousand = 1000

  /// - Parameter usual: A multiple of 200, so that half a percent is a whole number.
  static func units(_ usual: Int) -> Int { usual * perThousand / 1000 }
}
