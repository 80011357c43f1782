#include "CPDFWriter.h"
