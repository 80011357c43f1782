"""Generated clips of people laying pages under a camera, with the truth of each, and how well
`copystand watch` does on them.
"""
