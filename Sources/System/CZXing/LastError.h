#pragma once

#include <string>

// Why the last call on this thread failed: what czxing_error() tells.
std::string &czxing_last_error();
