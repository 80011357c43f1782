// An element of the list of files: the one at FILE_PATH.
{
    FILE_PATH,
    (const uint8_t[]){
#embed FILE_PATH
    },
    sizeof((const uint8_t[]){
#embed FILE_PATH
    })
},
#undef FILE_PATH
