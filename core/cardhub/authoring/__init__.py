"""The package of a new game, written from templates."""

from cardhub.authoring.package import NewPackage, check_name, write_package

__all__ = ["NewPackage", "check_name", "write_package"]
