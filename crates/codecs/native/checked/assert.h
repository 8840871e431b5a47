// Shadows the system's <assert.h>: Basis Universal asserts on file contents, and a broken file must not abort the
// process. No include guard, as the C standard requires.
#undef assert
#ifdef __cplusplus
#ifndef XL_CHECKED_ASSERT
#define XL_CHECKED_ASSERT
#include <stdexcept>
namespace xl {
[[noreturn]] inline void assertion_failed() { throw std::logic_error("assertion"); }
}  // namespace xl
#endif
#define assert(expression) ((expression) ? static_cast<void>(0) : xl::assertion_failed())
#else
#define assert(expression) ((void)0)
#endif
