// mutool run pages.js FILE PREFIX MOST: draws the pages of a picture file, each pixel as a pixel.
var pages = new Document(scriptArgs[0]);
for (var number = 0; number < Math.min(pages.countPages(), +scriptArgs[2] + 1); ++number) {
  var page = pages.loadPage(number), box = page.bound(), width = 0, height = 0;
  page.run({
    fillImage: function (image) {
      width = image.getWidth();
      height = image.getHeight();
    },
  }, [1, 0, 0, 1, 0, 0]);
  var across = width / (box[2] - box[0]), down = height / (box[3] - box[1]);
  page.toPixmap([across, 0, 0, down, 0, 0], DeviceRGB, false).saveAsPNG(
    scriptArgs[1] + (1000 + number) + ".png",
  );
}
