import CollectionLayout
// UIKit re-exports Foundation, because app files that import only UIKit use IndexPath, CGRect and NSCoder.
@_exported import Foundation

/// Ends the program like an exception of UIKit, in release builds as well. Buffered output is written first.
func raise(_ message: String) -> Never {
  fflush(nil)
  fatalError(message)
}

/// Ends the program if a call of the engine's view throws, because UIKit raises an exception.
func mustSucceed<Value>(_ body: () throws(LayoutError) -> Value) -> Value {
  do throws(LayoutError) { return try body() } catch { raise("\(error)") }
}

/// A name for the engine's options, because `AnimationOptions` within `UIView` means UIKit's options.
typealias ItemAnimation = CollectionLayout.AnimationOptions
