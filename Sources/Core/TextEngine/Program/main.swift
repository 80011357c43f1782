import TextEngine

RecogniserHelper.run()
