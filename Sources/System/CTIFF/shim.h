#pragma once
#include <tiffio.h>
#include "write.h"
