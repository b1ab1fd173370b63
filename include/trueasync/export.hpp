// TRUEASYNC_EXPORT: marks an exported symbol. All other symbols are built with hidden visibility.
#pragma once

#define TRUEASYNC_EXPORT __attribute__((visibility("default")))
