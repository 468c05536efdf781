"""Operators of images: resizing, cropping, sampling."""
