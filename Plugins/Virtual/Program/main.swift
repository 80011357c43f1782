print("virtual")
