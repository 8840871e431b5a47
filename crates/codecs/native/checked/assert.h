// Stands before the system's: Basis Universal asserts what files say, and a broken file must not end the process.
// As the standard asks, without an include guard.
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
