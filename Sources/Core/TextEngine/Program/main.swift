import TextEngine

RecognizerHelper.run()
