"""PyTorch, or the sentence that says how to install it; apart, because several modules need it."""

from cardhub.base.errors import MissingLibraryError

try:
    import torch
    from torch import nn
except ModuleNotFoundError as error:
    raise MissingLibraryError(
        "PyTorch is not installed, which training needs. fix: pip install '.[learn]' in the "
        "checkout of cardhub"
    ) from error

__all__ = ["nn", "torch"]
