/*
 * The engine from C: limits, reports, and a stop from another thread.
 *
 *     engine
 */

#include "check.h"

#include <pthread.h>

typedef struct {
    krou_engine *engine;
    int reports;
    uint32_t last_depth;
    int stop_at; /* the report that stops the search, 0: none */
} listener;

static const krou_position START = {{4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}, 0, 0, 0};

static int listen(const krou_report *report, void *user) {
    listener *self = (listener *)user;
    krou_report inner;
    krou_limits limits;
    memset(&limits, 0, sizeof limits);
    limits.size = sizeof limits;
    limits.depth = 1;
    self->reports++;
    CHECK(report->size == sizeof *report && report->line_count >= 1);
    CHECK(report->lines[0].pv_length >= 1);
    CHECK(report->lines[0].depth >= self->last_depth);
    self->last_depth = report->lines[0].depth;
    /* The engine is in use. */
    CHECK(krou_search(self->engine, &START, NULL, 0, &limits, &inner, sizeof inner) == KROU_E_BUSY);
    return self->reports == self->stop_at;
}

static krou_limits no_limits(void) {
    krou_limits limits;
    memset(&limits, 0, sizeof limits);
    limits.size = sizeof limits;
    return limits;
}

static void test_search(krou_engine *engine) {
    krou_report report, again;
    krou_limits limits = no_limits();
    listener listener = {engine, 0, 0, 0};
    limits.depth = 6;
    limits.on_report = listen;
    limits.user = &listener;
    CHECK(krou_search(engine, &START, NULL, 0, &limits, &report, sizeof report) == KROU_OK);
    CHECK(listener.reports >= 6 && listener.last_depth == 6);
    CHECK(report.line_count == 1 && report.lines[0].depth == 6 && report.nodes > 0);
    CHECK(report.lines[0].pv[0] < 6 && !report.lines[0].is_exact);
    /* The same search again, with nothing left of the first one. */
    limits.on_report = NULL;
    CHECK(krou_engine_clear(engine) == KROU_OK);
    CHECK(krou_search(engine, &START, NULL, 0, &limits, &again, sizeof again) == KROU_OK);
    CHECK(again.nodes == report.nodes && again.lines[0].score == report.lines[0].score);

    limits.lines = 3;
    limits.pits = 1 << 1 | 1 << 2 | 1 << 3;
    CHECK(krou_search(engine, &START, NULL, 0, &limits, &report, sizeof report) == KROU_OK);
    CHECK(report.line_count == 3);
    for (int i = 0; i < 3; i++) {
        CHECK(report.lines[i].pv[0] >= 1 && report.lines[i].pv[0] <= 3);
        CHECK(i == 0 || report.lines[i].score <= report.lines[i - 1].score);
    }
}

static void test_exact_scores(krou_engine *engine) {
    krou_position position;
    krou_report report;
    krou_limits limits = no_limits();
    limits.time_ms = 10000;
    CHECK(krou_parse_position("0-1-1-0-2-2-0-1-0-1-1-0-20-19-S", &position, sizeof position) == KROU_OK);
    CHECK(krou_search(engine, &position, NULL, 0, &limits, &report, sizeof report) == KROU_OK);
    CHECK(report.lines[0].is_exact && report.lines[0].score == -500);
    CHECK(report.lines[0].lower == -5 && report.lines[0].upper == -5);
    CHECK(report.lines[0].game_result == KROU_RESULT_LOSS);
    CHECK(report.ties == (1 << 4));

    /* Moves before the search. A game that is decided may go on; one without moves is over. */
    const uint8_t moves[2] = {5, 5}, illegal[1] = {0};
    CHECK(krou_parse_position("0-0-0-0-0-1-2-0-0-0-0-1-0-0-S", &position, sizeof position) == KROU_OK);
    CHECK_FAILS(krou_search(engine, &position, illegal, 1, &limits, &report, sizeof report),
                KROU_E_MOVE, "pit 0 is empty");
    CHECK(krou_search(engine, &position, moves, 1, &limits, &report, sizeof report) == KROU_OK);
    CHECK_FAILS(krou_search(engine, &position, moves, 2, &limits, &report, sizeof report),
                KROU_E_OVER, "over");
}

static void *request(void *stop) {
    CHECK(krou_stop_request((const krou_stop *)stop) == KROU_OK);
    return NULL;
}

static void test_stopping(krou_engine *engine) {
    krou_report report;
    krou_limits limits = no_limits();
    krou_stop *stop;
    pthread_t thread;
    CHECK(krou_stop_open(&stop) == KROU_OK);
    limits.stop = stop;
    CHECK(pthread_create(&thread, NULL, request, stop) == 0);
    /* Without the request it would last longer than any test. */
    CHECK(krou_search(engine, &START, NULL, 0, &limits, &report, sizeof report) == KROU_OK);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(report.lines[0].pv[0] < 6);

    CHECK(krou_stop_reset(stop) == KROU_OK);
    listener listener = {engine, 0, 0, 4};
    limits.on_report = listen;
    limits.user = &listener;
    CHECK(krou_search(engine, &START, NULL, 0, &limits, &report, sizeof report) == KROU_OK);
    CHECK(listener.reports >= 4);
    /* The callback's request stays, so that the next search ends at once. */
    limits.on_report = NULL;
    CHECK(krou_search(engine, &START, NULL, 0, &limits, &report, sizeof report) == KROU_OK);
    krou_stop_close(stop);
    krou_stop_close(NULL);
}

static void test_wrong_arguments(krou_engine *engine, const krou_tablebase *tables) {
    krou_report report;
    krou_limits limits = no_limits();
    krou_engine *other;
    CHECK_FAILS(krou_search(engine, &START, NULL, 0, &limits, &report, sizeof report),
                KROU_E_ARGUMENT, "never end");
    limits.depth = 256;
    CHECK_FAILS(krou_search(engine, &START, NULL, 0, &limits, &report, sizeof report),
                KROU_E_ARGUMENT, "'depth' is 256");
    limits.depth = 2;
    limits.lines = 7;
    CHECK_FAILS(krou_search(engine, &START, NULL, 0, &limits, &report, sizeof report),
                KROU_E_ARGUMENT, "'lines' is 7");
    limits.lines = 0;
    limits.pits = 64;
    CHECK_FAILS(krou_search(engine, &START, NULL, 0, &limits, &report, sizeof report),
                KROU_E_ARGUMENT, "'pits' is 64");
    limits.pits = 0;
    limits.time_ms = UINT64_MAX;
    limits.target_ms = UINT64_MAX;
    limits.nodes = UINT64_MAX;
    CHECK(krou_search(engine, &START, NULL, 0, &limits, &report, sizeof report) == KROU_OK);
    CHECK_FAILS(krou_search(engine, &START, NULL, 0, &limits, &report, 8), KROU_E_SIZE, "krou_report");
    krou_position many = START;
    many.south = 255;
    CHECK_FAILS(krou_search(engine, &many, NULL, 0, &limits, &report, sizeof report), KROU_E_BOARD,
                "seeds");
    limits.size = 0;
    CHECK_FAILS(krou_search(engine, &START, NULL, 0, &limits, &report, sizeof report), KROU_E_SIZE,
                "krou_limits");

    CHECK_FAILS(krou_engine_open("abapa", tables, NULL, &other), KROU_E_RULES, "abapa");
    krou_engine_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.hash_mib = SIZE_MAX;
    CHECK_FAILS(krou_engine_open(NULL, tables, &options, &other), KROU_E_ARGUMENT, "'hash_mib'");
    options.hash_mib = 0;
    options.threads = 1025;
    CHECK_FAILS(krou_engine_open(NULL, tables, &options, &other), KROU_E_ARGUMENT, "'threads'");
    options.threads = 0;
    options.aim = 2;
    CHECK_FAILS(krou_engine_open(NULL, tables, &options, &other), KROU_E_ARGUMENT, "'aim'");
    options.aim = KROU_AIM_RESULT;
    options.contempt = -1001;
    CHECK_FAILS(krou_engine_open(NULL, tables, &options, &other), KROU_E_ARGUMENT, "'contempt'");
    CHECK(other == NULL);
}

int main(void) {
    krou_tablebase *tables;
    krou_engine *engine;
    krou_engine_options options;
    uint64_t errors = 99;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.hash_mib = 1;
    CHECK(krou_open("awari", NULL, 0, &tables) == KROU_OK);
    CHECK(krou_engine_open(NULL, tables, &options, &engine) == KROU_OK);
    test_search(engine);
    test_exact_scores(engine);
    test_stopping(engine);
    test_wrong_arguments(engine, tables);
    CHECK(krou_engine_table_errors(engine, &errors, NULL, 0, NULL) == KROU_OK);
    CHECK(errors == 0);
    krou_close(tables);
    krou_engine_close(engine);
    krou_engine_close(NULL);

    /* Any ruleset, without tables. */
    krou_report report;
    krou_limits limits = no_limits();
    limits.depth = 4;
    options.threads = 2;
    CHECK(krou_engine_open("kalah", NULL, &options, &engine) == KROU_OK);
    CHECK(krou_search(engine, &START, NULL, 0, &limits, &report, sizeof report) == KROU_OK);
    CHECK(report.lines[0].depth == 4);
    krou_engine_close(engine);
    printf("engine: ok\n");
    return 0;
}
