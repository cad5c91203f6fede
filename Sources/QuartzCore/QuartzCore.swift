/// Files of apps import this module for `CATransform3D` and `CALayer`, which are UIKit's here.
@_exported import UIKit
