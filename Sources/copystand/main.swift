print("copystand")
