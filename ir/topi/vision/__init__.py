"""Operators of object detection: suppression of boxes, regions of interest, anchors."""
