import CollectionLayout
// UIKit re-exports Foundation, because app files that import only UIKit use IndexPath, CGRect and NSCoder.
@_exported import Foundation

/// Ends the program where UIKit raises an exception, also in release builds. Buffered output is written first.
func raise(_ message: String) -> Never {
  fflush(nil)
  fatalError(message)
}

/// Returns the result of a call to the module CollectionLayout. If the call throws, ends the program, because UIKit
/// raises an exception in this case.
func mustSucceed<Value>(_ body: () throws(LayoutError) -> Value) -> Value {
  do throws(LayoutError) { return try body() } catch { raise("\(error)") }
}

/// A name for CollectionLayout's animation options, because within `UIView` the name `AnimationOptions` means UIKit's.
typealias ItemAnimation = CollectionLayout.AnimationOptions
