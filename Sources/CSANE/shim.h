#pragma once
#include <sane/sane.h>
