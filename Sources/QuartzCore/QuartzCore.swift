/// Files of apps import this module for `CATransform3D` and `CALayer`, which this package declares in UIKit.
@_exported import UIKit
