import SMBAccess

SMBHelper.run()
