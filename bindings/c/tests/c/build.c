/*
 * Building tables from C: progress, stops, and errors.
 *
 *     build FOLDER        an empty folder
 */

#include "check.h"

typedef struct {
    int calls;
    uint64_t done;
    int stops; /* whether to stop at once */
} listener;

static int listen(const krou_progress *progress, void *user) {
    listener *self = (listener *)user;
    CHECK(progress->size == sizeof *progress);
    CHECK(progress->done >= self->done && progress->done <= progress->total);
    CHECK(progress->seeds <= 48 && strlen(progress->phase) > 0);
    self->done = progress->done;
    self->calls++;
    return self->stops;
}

static krou_build_options no_options(void) {
    krou_build_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    return options;
}

static void test_building(const char *folder) {
    krou_build_options options = no_options();
    listener listener = {0, 0, 0};
    options.distance = 1;
    options.threads = 2;
    options.codec = "packed";
    options.on_progress = listen;
    options.user = &listener;
    CHECK(krou_build("abapa", folder, 5, &options) == KROU_OK);
    CHECK(listener.calls >= 1);
    /* What is there need not be built again. */
    CHECK(krou_build("abapa", folder, 5, NULL) == KROU_OK);

    krou_tablebase *tables;
    krou_result result;
    uint64_t layers;
    const uint8_t board[12] = {0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1};
    krou_open_options alone;
    memset(&alone, 0, sizeof alone);
    alone.size = sizeof alone;
    alone.without_built_in = 1;
    CHECK(krou_open_with("abapa", &folder, 1, &alone, &tables) == KROU_OK);
    CHECK(krou_layers(tables, &layers) == KROU_OK);
    CHECK(layers == 0x3f);
    CHECK(krou_probe(tables, board, &result) == KROU_OK);
    CHECK(result.known == (KROU_KNOWN_VALUE | KROU_KNOWN_BOUNDS | KROU_KNOWN_DISTANCE));
    krou_close(tables);
}

static void test_stopping(const char *folder) {
    krou_build_options options = no_options();
    listener listener = {0, 0, 1};
    krou_stop *stop;
    options.on_progress = listen;
    options.user = &listener;
    /* Without the stop it would last longer than any test. */
    CHECK_FAILS(krou_build("awari", folder, 20, &options), KROU_E_STOPPED, "stopped");
    CHECK(listener.calls >= 1);

    CHECK(krou_stop_open(&stop) == KROU_OK);
    CHECK(krou_stop_request(stop) == KROU_OK);
    options.on_progress = NULL;
    options.stop = stop;
    CHECK_FAILS(krou_build("awari", folder, 20, &options), KROU_E_STOPPED, "stopped");
    krou_stop_close(stop);
    /* The folder is as good as before. */
    CHECK(krou_build("awari", folder, 4, NULL) == KROU_OK);
}

static void test_wrong_arguments(const char *folder, const char *file) {
    krou_build_options options = no_options();
    CHECK_FAILS(krou_build(NULL, NULL, 4, NULL), KROU_E_NULL, "'folder'");
    CHECK_FAILS(krou_build(NULL, folder, 49, NULL), KROU_E_ARGUMENT, "'seeds'");
    CHECK_FAILS(krou_build(NULL, folder, UINT32_MAX, NULL), KROU_E_ARGUMENT, "'seeds'");
    CHECK_FAILS(krou_build("awri", folder, 4, NULL), KROU_E_RULES, "awri");
    CHECK_FAILS(krou_build(NULL, file, 4, NULL), KROU_E_FOLDER, file);
    options.codec = "zip";
    CHECK_FAILS(krou_build(NULL, folder, 4, &options), KROU_E_ARGUMENT, "small");
    options.codec = NULL;
    options.threads = SIZE_MAX;
    CHECK_FAILS(krou_build(NULL, folder, 4, &options), KROU_E_ARGUMENT, "'threads'");
    options.threads = 1;
    options.memory = 1;
    /* A layer that the build which was stopped cannot have reached. */
    CHECK_FAILS(krou_build(NULL, folder, 20, &options), KROU_E_MEMORY, "20 seeds");
    options.size--;
    CHECK_FAILS(krou_build(NULL, folder, 4, &options), KROU_E_SIZE, "krou_build_options");
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    test_building(arguments[1]);
    test_stopping(arguments[1]);
    test_wrong_arguments(arguments[1], arguments[0]);
    printf("build: ok\n");
    return 0;
}
