/* Checks for the programs of this folder: a failed one is printed, and ends the program. */

#ifndef CHECK_H
#define CHECK_H

#include <krou.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                \
    do {                                                                                \
        if (!(condition)) {                                                             \
            fprintf(stderr, "%s:%d: %s fails (last error: %s)\n", __FILE__, __LINE__,   \
                    #condition, krou_last_error());                                     \
            exit(1);                                                                    \
        }                                                                               \
    } while (0)

/* A call that must fail with this code, and with a sentence that has this text. */
#define CHECK_FAILS(call, code, text)                                                   \
    do {                                                                                \
        CHECK((call) == (code));                                                        \
        CHECK(strstr(krou_last_error(), text) != NULL);                                 \
    } while (0)

#endif
