#pragma once
/* Macros and variadic functions of POSIX and Linux that Swift cannot call by itself. */
