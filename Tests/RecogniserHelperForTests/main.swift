import Recognition

RecogniserHelper.run()
