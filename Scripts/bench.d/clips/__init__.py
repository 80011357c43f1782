"""Generated clips of people laying pages under a camera, with the truth of each, and a measurement
of how well `copystand watch` handles them.
"""
