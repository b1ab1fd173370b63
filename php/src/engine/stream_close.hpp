// fclose() and pclose() free the stream at once. Whoever waits in one of its functions would come back to nothing, so it
// leaves first: its call fails as one on a closed descriptor does.
#pragma once

#include "support/zend.hpp"

extern "C" {
#include "main/php_streams.h"
}

namespace trueasync::php::engine {

// A flag of a php_stream that PHP has no use for: somebody is in a function that reads it. So only who meets it has to look
// for whom.
inline constexpr uint32_t kBeingRead = 0x40000000;

// Null: it is none, or closed.
php_stream* stream_of(zval* value) noexcept;

// False: somebody does not leave, or nobody may switch now. The stream stays.
bool let_others_leave(zval* stream) noexcept;

}  // namespace trueasync::php::engine
