/// App files import this module for `CATransform3D` and `CALayer`, which UIKit contains here.
@_exported import UIKit
