dnl For phpize && ./configure && make install. Builds ../src as an archive (Makefile.frag) and links the extension with it,
dnl with the flags of CMakeLists.txt. Object files of the library are placed in library/.
PHP_ARG_ENABLE([true_async],
  [whether to build the extension true_async],
  [AS_HELP_STRING([--enable-true_async], [Build the extension true_async])],
  [yes])

if test "$PHP_TRUE_ASYNC" != "no"; then
  PHP_REQUIRE_CXX()
  PHP_CXX_COMPILE_STDCXX([20], [mandatory], [TRUE_ASYNC_STD])
  dnl The engine's headers use GNU keywords.
  TRUE_ASYNC_STD=-std=gnu++20

  AC_PATH_PROG([PKG_CONFIG], [pkg-config], [no])
  if test "$PKG_CONFIG" = "no" || ! $PKG_CONFIG --atleast-version=1.44 libuv; then
    AC_MSG_ERROR([libuv 1.44 or later not found (Debian: apt-get install pkg-config libuv1-dev)])
  fi
  PHP_EVAL_INCLINE(`$PKG_CONFIG --cflags libuv`)
  PHP_EVAL_LIBLINE(`$PKG_CONFIG --libs libuv`, TRUE_ASYNC_SHARED_LIBADD)

  true_async_dir=PHP_EXT_SRCDIR(true_async)
  true_async_root=`cd "$true_async_dir/.." && pwd`
  if test ! -f "$true_async_root/src/scheduler/scheduler.cpp"; then
    AC_MSG_ERROR([$true_async_root/src not found; run phpize in php/ of the complete source tree])
  fi
  true_async_version=`sed -n 's/^ *VERSION \(.*\)$/\1/p' "$true_async_root/CMakeLists.txt" | head -n 1`

  dnl A file name that ends in a CPU or in _boost is for that configuration only. The extension does not use the C API and
  dnl the TLS module.
  case $host_cpu in
    x86_64|amd64[)] true_async_other_cpu=aarch64 ;;
    aarch64|arm64[)] true_async_other_cpu=x86_64 ;;
    *[)] AC_MSG_ERROR([unsupported CPU $host_cpu: the context switch supports x86_64 and aarch64]) ;;
  esac
  TRUE_ASYNC_LIBRARY_OBJECTS=`cd "$true_async_root/src" && find . \( -name '*.cpp' -o -name '*.S' \) \
    ! -name '*_boost.cpp' ! -name "*_$true_async_other_cpu.*" ! -path './tls/*' ! -path './capi/*' | sort |
    sed -e 's#^\./#library/#' -e 's#\.cpp$#.o#' -e 's#\.S$#.o#' | tr '\n' ' '`
  PHP_SUBST(TRUE_ASYNC_LIBRARY_OBJECTS)

  dnl A PHP that was built with PDO installs its headers, even if the module pdo is a separate package.
  AC_MSG_CHECKING([whether PHP was built with PDO, for PDO pools])
  if test -f "$phpincludedir/ext/pdo/php_pdo_driver.h"; then
    true_async_excluded=none
    true_async_pdo=-DTRUEASYNC_PHP_PDO
    AC_MSG_RESULT([yes])
  else
    true_async_excluded='src/pdo/*'
    true_async_pdo=
    AC_MSG_RESULT([no])
  fi
  true_async_sources=`cd "$true_async_dir" && find src -name '*.cpp' ! -path "$true_async_excluded" | sort | tr '\n' ' '`
  true_async_flags="$TRUE_ASYNC_STD -fvisibility=hidden -fvisibility-inlines-hidden -ftls-model=initial-exec \
    -fno-semantic-interposition -fasynchronous-unwind-tables -fstack-clash-protection \
    -DTRUEASYNC_VERSION=\\\"$true_async_version\\\" -I$true_async_root/include -I$true_async_root/src"
  TRUE_ASYNC_LIBRARY_FLAGS="$true_async_flags"
  PHP_SUBST(TRUE_ASYNC_LIBRARY_FLAGS)
  TRUE_ASYNC_ROOT=$true_async_root
  PHP_SUBST(TRUE_ASYNC_ROOT)

  PHP_NEW_EXTENSION(true_async, $true_async_sources, $ext_shared,,
    [$true_async_flags $true_async_pdo -I@ext_srcdir@/src -I@ext_srcdir@ -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1], cxx)
  for true_async_folder in `cd "$true_async_dir" && find src -type d`; do
    PHP_ADD_BUILD_DIR([$ext_builddir/$true_async_folder])
  done

  TRUE_ASYNC_SHARED_DEPENDENCIES=library/libtrueasync.a
  PHP_SUBST(TRUE_ASYNC_SHARED_DEPENDENCIES)
  true_async_exports="-Wl,--version-script=$true_async_root/php/exports.map"
  TRUE_ASYNC_SHARED_LIBADD="library/libtrueasync.a $true_async_exports -pthread $TRUE_ASYNC_SHARED_LIBADD"
  PHP_SUBST(TRUE_ASYNC_SHARED_LIBADD)
  PHP_ADD_MAKEFILE_FRAGMENT
fi
