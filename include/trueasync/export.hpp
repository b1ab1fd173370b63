// What the library exports. Everything else is built with hidden visibility.
#pragma once

#define TRUEASYNC_EXPORT __attribute__((visibility("default")))
