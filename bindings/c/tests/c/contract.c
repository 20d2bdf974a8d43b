/*
 * What krou.h promises, seen from C: results, errors, texts, and lines of play.
 *
 *     contract FOLDER     with tables of awari up to 10 seeds and of abapa up to 4
 */

#include "check.h"

#include <sys/stat.h>

static const uint8_t BOARD[12] = {0, 1, 1, 0, 2, 2, 0, 1, 0, 1, 1, 0};
static const uint8_t CAPTURE[12] = {0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1};
static const uint8_t START[12] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
static const uint8_t TOO_MANY[12] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

static void test_versions(void) {
    CHECK(krou_abi_version() == KROU_ABI_VERSION);
    CHECK(strchr(krou_version(), '.') != NULL);
    CHECK(strcmp(krou_last_error(), "") == 0);
    CHECK(strcmp(krou_code_name(KROU_OK), "KROU_OK") == 0);
    CHECK(strcmp(krou_code_name(KROU_E_PANIC), "KROU_E_PANIC") == 0);
    CHECK(krou_code_name(KROU_E_PANIC + 1) == NULL);
    CHECK(krou_code_name(-1) == NULL);
}

static void test_opening(const char *folder) {
    krou_tablebase *tables = (krou_tablebase *)&tables;
    CHECK_FAILS(krou_open("awri", NULL, 0, &tables), KROU_E_RULES, "'awri'");
    CHECK(tables == NULL);
    const char *nowhere[1] = {"/nowhere/at/all"};
    CHECK_FAILS(krou_open(NULL, nowhere, 1, &tables), KROU_E_FOLDER, "/nowhere/at/all");
    /* A path is the system's bytes, not always UTF-8. */
    char path[4096];
    snprintf(path, sizeof path, "%s/\xff\xfe", folder);
    const char *bytes[2] = {folder, path};
    CHECK_FAILS(krou_open(NULL, bytes, 2, &tables), KROU_E_FOLDER, "is not a folder");
    CHECK(mkdir(path, 0777) == 0);
    CHECK(krou_open(NULL, bytes, 2, &tables) == KROU_OK);
    krou_close(tables);
    const char *missing[1] = {NULL};
    CHECK_FAILS(krou_open(NULL, missing, 1, &tables), KROU_E_NULL, "folders[0]");
    CHECK_FAILS(krou_open("\xff", NULL, 0, &tables), KROU_E_TEXT, "rules");

    krou_open_options options;
    memset(&options, 0, sizeof options);
    CHECK_FAILS(krou_open_with(NULL, NULL, 0, &options, &tables), KROU_E_SIZE, "krou_open_options");
    options.size = sizeof options;
    options.without_built_in = 1;
    options.mapped = 1;
    /* No limit. */
    options.cache_bytes = UINT64_MAX;
    /* Plain http is refused, but on purpose: nobody answers at this address of this machine. */
    const char *plain[1] = {"http://0.0.0.0:9/"};
    options.size = sizeof options;
    CHECK_FAILS(krou_open_with(NULL, plain, 1, &options, &tables), KROU_E_TABLE, "not encrypted");
    options.insecure = 1;
    options.cache = path;
    CHECK_FAILS(krou_open_with(NULL, plain, 1, &options, &tables), KROU_E_TABLE, "cannot be read");
    options.cache = NULL;
    const char *folders[1] = {folder};
    uint64_t layers;
    CHECK(krou_open_with("abapa", folders, 1, &options, &tables) == KROU_OK);
    CHECK(krou_layers(tables, &layers) == KROU_OK);
    CHECK(layers == 0x1f);
    char name[KROU_MAX_TEXT];
    CHECK(krou_tables_ruleset(tables, name, sizeof name, NULL) == KROU_OK);
    CHECK(strcmp(name, "abapa") == 0);
    krou_close(tables);
    krou_close(NULL);

    /* The same answers with some layers in memory, with all of them, and with none. */
    const uint64_t budgets[3] = {1 << 16, 1 << 30, 0};
    options.mapped = 0;
    for (size_t i = 0; i < 3; i++) {
        krou_result result;
        options.table_memory = budgets[i];
        CHECK(krou_open_with("awari", folders, 1, &options, &tables) == KROU_OK);
        CHECK(krou_probe(tables, BOARD, &result) == KROU_OK);
        CHECK(result.value == -5);
        CHECK(krou_probe(tables, CAPTURE, &result) == KROU_OK);
        CHECK(result.value == 4);
        krou_close(tables);
    }

    /* The folder answers first, the built-in tables where it has no layer. */
    CHECK(krou_open("awari", folders, 1, &tables) == KROU_OK);
    CHECK(krou_layers(tables, &layers) == KROU_OK);
    CHECK(layers == 0x7ff);
    krou_close(tables);
}

static void test_probing(const krou_tablebase *tables) {
    krou_result result;
    CHECK(krou_probe(tables, BOARD, &result) == KROU_OK);
    CHECK(result.value == -5 && result.distance == 11);
    CHECK(result.known == (KROU_KNOWN_VALUE | KROU_KNOWN_DISTANCE));
    CHECK(krou_probe(tables, CAPTURE, &result) == KROU_OK);
    CHECK(result.value == 4);
    CHECK_FAILS(krou_probe(tables, TOO_MANY, &result), KROU_E_BOARD, "3060 seeds");
    CHECK(result.known == 0 && result.value == 0);
    CHECK_FAILS(krou_probe(tables, START, &result), KROU_E_MISSING, "48 seeds");
    CHECK_FAILS(krou_probe(NULL, START, &result), KROU_E_NULL, "'tables'");
    CHECK_FAILS(krou_probe(tables, NULL, &result), KROU_E_NULL, "'board'");
    CHECK_FAILS(krou_probe(tables, START, NULL), KROU_E_NULL, "'out'");
    int8_t value;
    CHECK(krou_value(tables, BOARD, &value) == KROU_OK);
    CHECK(value == -5);
    CHECK_FAILS(krou_value(tables, START, &value), KROU_E_MISSING, "48 seeds");
    CHECK_FAILS(krou_value(tables, TOO_MANY, &value), KROU_E_BOARD, "seeds");
    CHECK(value == -5);

    uint8_t boards[4][12];
    krou_result results[4];
    int codes[4];
    memcpy(boards[0], BOARD, 12);
    memcpy(boards[1], START, 12);
    memcpy(boards[2], TOO_MANY, 12);
    memcpy(boards[3], CAPTURE, 12);
    CHECK_FAILS(krou_probe_many(tables, boards[0], 4, results, codes), KROU_E_MISSING, "board 1,");
    CHECK(codes[0] == KROU_OK && codes[1] == KROU_E_MISSING);
    CHECK(codes[2] == KROU_E_BOARD && codes[3] == KROU_OK);
    CHECK(results[0].value == -5 && results[3].value == 4);
    CHECK(results[1].known == 0 && results[2].known == 0);
    CHECK(krou_probe_many(tables, boards[0], 1, results, NULL) == KROU_OK);
    CHECK(krou_probe_many(tables, NULL, 0, NULL, NULL) == KROU_OK);
    CHECK_FAILS(krou_probe_many(tables, boards[0], SIZE_MAX, results, NULL), KROU_E_ARGUMENT,
                "'boards'");
    CHECK_FAILS(krou_probe_many(tables, NULL, 1, results, NULL), KROU_E_NULL, "'boards'");
}

static void test_moves(const krou_tablebase *tables) {
    krou_move moves[KROU_MAX_MOVES];
    size_t count = 99;
    CHECK(krou_moves(tables, BOARD, moves, sizeof moves[0], &count) == KROU_OK);
    CHECK(count == 4);
    CHECK(moves[0].step.pit == 2 && moves[0].result.value == -5);
    CHECK(moves[2].step.pit == 5 && moves[2].step.captured == 2);
    CHECK(moves[3].step.pit == 1 && moves[3].result.value == -9);
    CHECK_FAILS(krou_moves(tables, BOARD, moves, 1, &count), KROU_E_SIZE, "krou_move");
    CHECK(krou_moves(tables, START, moves, sizeof moves[0], &count) == KROU_OK);
    CHECK(count == 6 && moves[5].result.known == 0);

    krou_step line[20];
    int end;
    CHECK(krou_best_line(tables, BOARD, line, sizeof line[0], 20, &count, &end) == KROU_OK);
    CHECK(count > 0 && line[0].pit == 2);
    /* Each step continues the one before it. */
    uint8_t board[12];
    memcpy(board, BOARD, 12);
    krou_rules *rules;
    CHECK(krou_rules_open("awari", &rules) == KROU_OK);
    for (size_t i = 0; i < count; i++) {
        krou_step step;
        CHECK(krou_rules_play(rules, board, line[i].pit, &step, sizeof step) == KROU_OK);
        CHECK(memcmp(&step, &line[i], sizeof step) == 0);
        memcpy(board, step.board, 12);
    }
    krou_rules_close(rules);
    CHECK(krou_best_line(tables, BOARD, line, sizeof line[0], 1, &count, &end) == KROU_OK);
    CHECK(count == 1 && end == KROU_END_LENGTH);
    CHECK(krou_best_line(tables, BOARD, NULL, sizeof line[0], 0, &count, NULL) == KROU_OK);
    CHECK(count == 0);
    CHECK(krou_best_line(tables, START, line, sizeof line[0], 20, &count, &end) == KROU_OK);
    CHECK(count == 0 && end == KROU_END_MISSING);
}

static void test_bounds(const char *folder) {
    const char *folders[1] = {folder};
    krou_tablebase *tables;
    krou_result result;
    CHECK(krou_open("abapa", folders, 1, &tables) == KROU_OK);
    const uint8_t cycle[12] = {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1};
    CHECK(krou_probe(tables, cycle, &result) == KROU_OK);
    CHECK(result.known & KROU_KNOWN_BOUNDS);
    CHECK(result.lower <= result.value && result.value <= result.upper);
    krou_close(tables);
}

static void test_rules(void) {
    krou_rules *rules;
    krou_step steps[KROU_MAX_MOVES], step;
    size_t count, needed;
    CHECK_FAILS(krou_rules_open("awri", &rules), KROU_E_RULES, "'awri'");
    CHECK(krou_rules_open(NULL, &rules) == KROU_OK);
    CHECK(krou_rules_moves(rules, START, steps, sizeof step, &count) == KROU_OK);
    CHECK(count == 6 && steps[3].pit == 3 && steps[3].next == KROU_NEXT_OPPONENT);
    CHECK_FAILS(krou_rules_play(rules, CAPTURE, 0, &step, sizeof step), KROU_E_MOVE, "pit 0 is empty");
    CHECK_FAILS(krou_rules_play(rules, CAPTURE, 255, &step, sizeof step), KROU_E_MOVE, "pit 255");
    CHECK(krou_rules_play(rules, CAPTURE, 5, &step, sizeof step) == KROU_OK);
    CHECK(step.captured == 3 && step.gain == 3);

    const uint8_t nothing[12] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
    int over;
    int8_t value;
    CHECK(krou_rules_over(rules, nothing, &over, &value) == KROU_OK);
    CHECK(over == 1 && value == -1);
    CHECK(krou_rules_over(rules, START, &over, NULL) == KROU_OK);
    CHECK(over == 0);
    krou_rules_close(rules);
    krou_rules_close(NULL);

    char name[KROU_MAX_TEXT];
    krou_choices choices;
    memset(&choices, 0, sizeof choices);
    choices.size = sizeof choices;
    choices.endless = "by-side";
    CHECK(krou_ruleset("awari", &choices, name, sizeof name, &needed) == KROU_OK);
    CHECK(strcmp(name, "awale") == 0 && needed == 6);
    choices.grand_slam = "illegal";
    CHECK(krou_ruleset(NULL, &choices, name, sizeof name, NULL) == KROU_OK);
    CHECK(strcmp(name, "oware+illegal+required+owner+by-side") == 0);
    CHECK(krou_rules_open(name, &rules) == KROU_OK);
    krou_rules_close(rules);
    CHECK_FAILS(krou_ruleset(NULL, &choices, name, 5, &needed), KROU_E_BUFFER, "5 bytes");
    CHECK(needed == strlen("oware+illegal+required+owner+by-side") + 1);
    CHECK_FAILS(krou_ruleset("kalah", &choices, name, sizeof name, NULL), KROU_E_RULES, "kalah");
    choices.endless = "never";
    CHECK_FAILS(krou_ruleset(NULL, &choices, name, sizeof name, NULL), KROU_E_RULES, "by-side");
    choices.size = 1;
    CHECK_FAILS(krou_ruleset(NULL, &choices, name, sizeof name, NULL), KROU_E_SIZE, "krou_choices");
    CHECK(strcmp(krou_ruleset_name(0), "awari") == 0);
    CHECK(krou_ruleset_name(1000) == NULL);
    for (size_t i = 0; krou_ruleset_name(i); i++) {
        CHECK(krou_rules_open(krou_ruleset_name(i), &rules) == KROU_OK);
        CHECK(krou_rules_moves(rules, START, steps, sizeof step, &count) == KROU_OK);
        CHECK(count == 6);
        krou_rules_close(rules);
        /* No name is too long. */
        choices.size = sizeof choices;
        CHECK(krou_ruleset(krou_ruleset_name(i), NULL, name, sizeof name, NULL) == KROU_OK);
    }
}

static void test_texts(void) {
    uint8_t board[12];
    char text[KROU_MAX_TEXT];
    size_t needed;
    CHECK(krou_parse_board("0 1 1 0 2 2 / 0 1 0 1 1 0", board) == KROU_OK);
    CHECK(memcmp(board, BOARD, 12) == 0);
    CHECK_FAILS(krou_parse_board("0 0 0 x", board), KROU_E_BOARD, "'x'");
    CHECK(memcmp(board, BOARD, 12) == 0);
    CHECK(krou_format_board(BOARD, text, sizeof text, &needed) == KROU_OK);
    CHECK(strcmp(text, "0 1 1 0 2 2 / 0 1 0 1 1 0") == 0 && needed == strlen(text) + 1);
    CHECK_FAILS(krou_format_board(BOARD, NULL, 0, &needed), KROU_E_BUFFER, "26");
    CHECK(needed == 26);
    CHECK_FAILS(krou_format_board(TOO_MANY, text, sizeof text, NULL), KROU_E_BOARD, "seeds");

    krou_position position;
    const char *north = "1-2-3-0-0-0-0-0-0-4-5-6-20-7-N";
    CHECK(krou_parse_position(north, &position, sizeof position) == KROU_OK);
    CHECK(position.board[3] == 4 && position.south == 20 && position.north == 7);
    CHECK(position.north_to_move == 1);
    CHECK(krou_format_position(&position, text, sizeof text, NULL) == KROU_OK);
    CHECK(strcmp(text, north) == 0);
    position.north_to_move = 2;
    CHECK_FAILS(krou_format_position(&position, text, sizeof text, NULL), KROU_E_ARGUMENT, "2");
    CHECK_FAILS(krou_parse_position("4-4", &position, sizeof position), KROU_E_BOARD, "15 parts");
    /* The longest texts of all fit. */
    memset(position.board, 255, 12);
    position.north_to_move = 0;
    CHECK_FAILS(krou_format_position(&position, text, sizeof text, NULL), KROU_E_BOARD, "seeds");
}

static void test_many(const krou_tablebase *tables) {
    krou_rules *rules;
    krou_step steps[KROU_MAX_MOVES], one;
    uint8_t boards[24], masks[2], pits[2] = {2, 0}, found[24];
    int8_t values[2], worth[12];
    int codes[2];
    size_t count;
    uint64_t indexes[2], size;
    memcpy(boards, BOARD, 12);
    memcpy(boards + 12, START, 12);
    CHECK(krou_rules_open(NULL, &rules) == KROU_OK);
    CHECK(krou_rules_moves(rules, BOARD, steps, sizeof one, &count) == KROU_OK && count == 4);
    CHECK(krou_legal_masks(rules, boards, 2, masks) == KROU_OK);
    CHECK(masks[0] == 0x36 && masks[1] == 0x3f);
    CHECK(krou_play_many(rules, boards, pits, 2, steps, sizeof one) == KROU_OK);
    CHECK(krou_rules_play(rules, BOARD, 2, &one, sizeof one) == KROU_OK);
    CHECK(steps[0].gain == one.gain && memcmp(steps[0].board, one.board, 12) == 0);
    pits[1] = 6;
    CHECK_FAILS(krou_play_many(rules, boards, pits, 2, steps, sizeof one), KROU_E_MOVE, "board 1");
    /* A board and its index; no move leads to the start. */
    CHECK(krou_index_of(rules, boards, 2, indexes) == KROU_OK);
    CHECK(krou_layer_size(rules, 9, &size) == KROU_OK && indexes[0] < size);
    CHECK(indexes[1] == KROU_NO_INDEX);
    CHECK(krou_board_at(rules, 9, indexes, 1, found) == KROU_OK);
    CHECK(memcmp(found, BOARD, 12) == 0);
    CHECK_FAILS(krou_board_at(rules, 9, &size, 1, found), KROU_E_ARGUMENT, "boards");
    CHECK_FAILS(krou_layer_size(rules, 49, &size), KROU_E_ARGUMENT, "49");
    krou_rules_close(rules);
    /* Values alone. */
    CHECK_FAILS(krou_probe_values(tables, boards, 2, values, codes), KROU_E_MISSING, "board 1");
    CHECK(values[0] == -5 && codes[0] == KROU_OK && codes[1] == KROU_E_MISSING);
    CHECK(krou_probe_values(tables, boards, 1, values, NULL) == KROU_OK && values[0] == -5);
    CHECK(krou_moves_many(tables, boards, 2, worth, masks) == KROU_OK);
    CHECK(masks[0] == 0x36 && masks[1] == 0 && worth[2] == -5 && worth[1] == -9);
    memcpy(boards, TOO_MANY, 12);
    CHECK_FAILS(krou_probe_values(tables, boards, 1, values, NULL), KROU_E_BOARD, "seeds");
}

static void test_misaligned_memory(const krou_tablebase *tables) {
    uint64_t memory[8];
    char *odd = (char *)memory + 1;
    void *pointer = odd;
    CHECK_FAILS(krou_probe(tables, BOARD, (krou_result *)pointer), KROU_E_ARGUMENT, "aligned");
    CHECK_FAILS(krou_layers(tables, (uint64_t *)pointer), KROU_E_ARGUMENT, "aligned");
}

int main(int count, char **arguments) {
    krou_tablebase *tables;
    if (count != 2) return 2;
    test_versions();
    test_opening(arguments[1]);
    CHECK(krou_open("awari", NULL, 0, &tables) == KROU_OK);
    test_probing(tables);
    test_moves(tables);
    test_bounds(arguments[1]);
    test_rules();
    test_texts();
    test_many(tables);
    test_misaligned_memory(tables);
    krou_close(tables);
    printf("contract: ok\n");
    return 0;
}
