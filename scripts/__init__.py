"""Commands for developers; not part of the package that users install."""
