"""Colors of pictures that Pillow holds."""

import io

from PIL import Image, ImageCms


def flat(picture):
    """The picture as 8-bit sRGB on white."""
    profile = picture.info.get("icc_profile")
    if picture.mode.startswith("I;16") or picture.mode == "I":
        picture = picture.convert("I").point(lambda value: value / 257).convert("L")
    if picture.mode == "F":
        picture = picture.convert("L")
    if picture.mode in ("P", "PA", "LA", "La", "RGBa") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
    if profile and picture.mode == "RGBA":
        # Profiles do not describe alpha, which stays unchanged.
        alpha = picture.getchannel("A")
        picture = picture.convert("RGB")
        picture.info["icc_profile"] = profile
        picture = flat(picture)
        picture.putalpha(alpha)
    elif profile and picture.mode in ("L", "RGB", "CMYK", "LAB"):
        try:
            return ImageCms.profileToProfile(
                picture, io.BytesIO(profile), ImageCms.createProfile("sRGB"), outputMode="RGB"
            )
        except ImageCms.PyCMSError:
            pass
    if picture.mode == "RGBA":
        white = Image.new("RGBA", picture.size, "white")
        picture = Image.alpha_composite(white, picture)
    return picture.convert("RGB")
