print("file")
