// What the libraries show to programs: what the public headers declare, and nothing else.
#pragma once

#if defined(__GNUC__)
#define THRONG_API __attribute__((visibility("default")))
#else
#define THRONG_API
#endif
