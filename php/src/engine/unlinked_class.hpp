// A class that is declared and not usable yet, because its parent, an interface or a trait of it is still being loaded.
// The engine finds it by its name and says that there is no such class. While it is hidden it is not found, so that
// whoever needs it asks the loader, where it can wait.
#pragma once

#include <string_view>

#include "support/zend.hpp"

namespace trueasync::php::engine {

// Of that name, in lower case, if there is one.
void hide_unlinked(std::string_view name) noexcept;
// Undoes that.
void show_unlinked(std::string_view name) noexcept;

}  // namespace trueasync::php::engine
