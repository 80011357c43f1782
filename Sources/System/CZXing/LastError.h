#pragma once

#include <string>

// The reason why the last call on this thread failed, for czxing_error().
std::string &czxing_last_error();
