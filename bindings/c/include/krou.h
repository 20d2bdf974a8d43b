/*
 * krou: an exact endgame tablebase for oware (awari, abapa, awale, mancala).
 *
 * Written by cbindgen from the sources of the library: do not edit. The page docs/c.md has
 * an introduction.
 *
 * BOARDS
 *   A board is twelve bytes: the mover's row first, then the opponent's, both in sowing
 *   order. A value is net seeds for the player to move, counting only the seeds on the
 *   board now.
 *
 * ERRORS
 *   Functions return KROU_OK or a positive code; krou_last_error then has one sentence that
 *   says what is wrong, where, and what to do. No function prints or ends the program.
 *
 * POINTERS
 *   Unless a parameter may be null, null is refused with KROU_E_NULL, and a misaligned
 *   pointer with KROU_E_ARGUMENT. The library cannot check the rest; the caller has to see
 *   to it that
 *   - a pointer leads to as much memory of its type as the parameter says, and output does
 *     not overlap input;
 *   - a handle comes from the function that opens it, was not closed, and is closed once;
 *   - texts end with a null byte;
 *   - no other thread changes or frees during a call what the call was given.
 *
 * STRUCTS THAT MAY GROW
 *   They are passed with their sizeof: as the field `size` of options, as a parameter with
 *   output. A size that the library does not know is refused with KROU_E_SIZE. krou_result
 *   never changes.
 */


#ifndef KROU_H
#define KROU_H

#include <stddef.h>
#include <stdint.h>

/*
 Success.
 */
#define KROU_OK 0

/*
 A pointer that must not be null is null.
 */
#define KROU_E_NULL 1

/*
 A board or a position does not exist: too many seeds, or a text that is none.
 */
#define KROU_E_BOARD 2

/*
 There is no such ruleset, or no such choice.
 */
#define KROU_E_RULES 3

/*
 No table has the board's layer.
 */
#define KROU_E_MISSING 4

/*
 A table is damaged or cannot be read or written.
 */
#define KROU_E_TABLE 5

/*
 A folder does not exist or cannot be used.
 */
#define KROU_E_FOLDER 6

/*
 A text is not valid UTF-8.
 */
#define KROU_E_TEXT 7

/*
 The move is illegal.
 */
#define KROU_E_MOVE 8

/*
 The game is over.
 */
#define KROU_E_OVER 9

/*
 The size of a struct is not that of this version of the library.
 */
#define KROU_E_SIZE 10

/*
 The buffer is too small for the answer.
 */
#define KROU_E_BUFFER 11

/*
 An argument is out of its range, or a pointer is misaligned.
 */
#define KROU_E_ARGUMENT 12

/*
 The object or the folder is in use by another thread or program.
 */
#define KROU_E_BUSY 13

/*
 There is not enough memory.
 */
#define KROU_E_MEMORY 14

/*
 The work was stopped before its end, by the caller.
 */
#define KROU_E_STOPPED 15

/*
 An error in krou itself. The object should be closed.
 */
#define KROU_E_PANIC 16

/*
 Version of the functions and structs of this header. It changes if a program has to be
 compiled or written anew.
 */
#define KROU_ABI_VERSION 1

/*
 Index of a board that no layer indexes: see krou_index_of.
 */
#define KROU_NO_INDEX UINT64_MAX

/*
 `end` of krou_best_line: the game is over.
 */
#define KROU_END_OVER 0

/*
 `end` of krou_best_line: the last move leads back to an earlier board (endless play).
 */
#define KROU_END_LOOP 1

/*
 `end` of krou_best_line: a layer is missing.
 */
#define KROU_END_MISSING 2

/*
 `end` of krou_best_line: the line has as many moves as were asked for.
 */
#define KROU_END_LENGTH 3

/*
 Bit of `known`: the value.
 */
#define KROU_KNOWN_VALUE 1

/*
 Bit of `known`: both bounds.
 */
#define KROU_KNOWN_BOUNDS 2

/*
 Bit of `known`: the distance.
 */
#define KROU_KNOWN_DISTANCE 4

/*
 `krou_step.next`: the opponent is to move, and the board is turned to their side.
 */
#define KROU_NEXT_OPPONENT 0

/*
 `krou_step.next`: the same player moves again.
 */
#define KROU_NEXT_AGAIN 1

/*
 `krou_step.next`: the step ended the game.
 */
#define KROU_NEXT_OVER 2

/*
 Pits on the board.
 */
#define KROU_PITS 12

/*
 The most legal moves of a board.
 */
#define KROU_MAX_MOVES 6

/*
 Bytes that the text of any board or position needs, with the null byte.
 */
#define KROU_MAX_TEXT 64

/*
 The most moves of a principal variation in a report.
 */
#define KROU_MAX_PV 256

/*
 `krou_engine_options.aim`: the engine maximises seeds.
 */
#define KROU_AIM_SEEDS 0

/*
 `krou_engine_options.aim`: the engine maximises the result of the game, then seeds.
 */
#define KROU_AIM_RESULT 1

/*
 `krou_line.bound`: the score is that of `depth`.
 */
#define KROU_BOUND_NONE 0

/*
 `krou_line.bound`: the score is this or a higher one.
 */
#define KROU_BOUND_LOWER 1

/*
 `krou_line.game_result`: not found out.
 */
#define KROU_RESULT_UNKNOWN 0

/*
 `krou_line.game_result`: the player to move wins.
 */
#define KROU_RESULT_WIN 1

/*
 `krou_line.game_result`: nobody wins.
 */
#define KROU_RESULT_DRAW 2

/*
 `krou_line.game_result`: the player to move loses.
 */
#define KROU_RESULT_LOSS 3

/*
 Searches for the best move: see krou_engine_open.
 */
typedef struct krou_engine krou_engine;

/*
 A ruleset: see krou_rules_open. Threads may share it.
 */
typedef struct krou_rules krou_rules;

/*
 A request to stop a search or a build: see krou_stop_open.
 */
typedef struct krou_stop krou_stop;

/*
 The tables of a ruleset: see krou_open. Threads may share it.
 */
typedef struct krou_tablebase krou_tablebase;

/*
 A moment of a game: a board with both stores and the player to move.
 */
typedef struct krou_position {
    /*
     The board, from the side of the player to move.
     */
    uint8_t board[KROU_PITS];
    /*
     Seeds in South's store.
     */
    uint8_t south;
    /*
     Seeds in North's store.
     */
    uint8_t north;
    /*
     0 if South is to move, 1 if North is.
     */
    uint8_t north_to_move;
} krou_position;

/*
 How far a build has come.
 */
typedef struct krou_progress {
    /*
     sizeof(krou_progress).
     */
    size_t size;
    /*
     Visits of boards so far. It never falls.
     */
    uint64_t done;
    /*
     Visits of boards in the whole build: an estimate that stays the same.
     */
    uint64_t total;
    /*
     What is being done with the layer, such as "values"; valid during the call.
     */
    const char *phase;
    /*
     The layer that is worked on.
     */
    uint32_t seeds;
} krou_progress;

/*
 Called by `krou_build` on its own thread, about ten times a second. `progress` is valid
 during the call; `user` is that of the options. Returns 0 to go on, or another number to
 stop the build. It must return: no longjmp and no C++ exception may leave it.
 */
typedef int (*krou_on_progress)(const struct krou_progress *progress, void *user);

/*
 What to build, and how. Fill it with zeros and set `size`: zero is the default of each
 field.
 */
typedef struct krou_build_options {
    /*
     sizeof(krou_build_options).
     */
    size_t size;
    /*
     How tables are packed: "small", "packed", "zstd" or "raw"; null: "small".
     */
    const char *codec;
    /*
     Bytes of memory to use; arrays that do not fit are in spill files in the folder. 0:
     most of the free memory.
     */
    uint64_t memory;
    /*
     Threads, at most 1024; 0: one for each core.
     */
    size_t threads;
    /*
     Seconds between two checkpoints of the layer being solved; 0: none are written.
     */
    uint32_t checkpoint_seconds;
    /*
     1: build distances, too.
     */
    int distance;
    /*
     Another thread may request this to stop; may be null.
     */
    const struct krou_stop *stop;
    /*
     Called about ten times a second; may be null.
     */
    krou_on_progress on_progress;
    /*
     Passed to `on_progress`.
     */
    void *user;
} krou_build_options;

/*
 Options of an engine. Fill it with zeros and set `size`: zero is the default of each
 field.
 */
typedef struct krou_engine_options {
    /*
     sizeof(krou_engine_options).
     */
    size_t size;
    /*
     Size of the transposition table in MiB, at most 65536; 0: 64.
     */
    size_t hash_mib;
    /*
     Search threads, at most 1024; 0: 1.
     */
    size_t threads;
    /*
     Bytes for layers of the tables that are held in memory, loaded in the background;
     0: none.
     */
    uint64_t table_memory;
    /*
     KROU_AIM_SEEDS or KROU_AIM_RESULT.
     */
    int aim;
    /*
     How much less than nothing a draw is worth, in hundredths of a seed, -1000 to 1000;
     only with KROU_AIM_RESULT.
     */
    int contempt;
} krou_engine_options;

/*
 A move with its score and the best moves after it.
 */
typedef struct krou_line {
    /*
     What the rest of the game is worth to the player to move, in hundredths of a seed.
     */
    int32_t score;
    /*
     1 if the score is exact, 0 if it is an estimate.
     */
    uint8_t is_exact;
    /*
     KROU_BOUND_NONE, or how the score of a depth that is not finished relates to it.
     */
    uint8_t bound;
    /*
     The result of the game with best play by both, KROU_RESULT_UNKNOWN and others.
     */
    uint8_t game_result;
    /*
     Depth of the score in plies; 0 if it comes from tables.
     */
    uint8_t depth;
    /*
     The least that the score is proven to be, in seeds.
     */
    int8_t lower;
    /*
     The most that the score is proven to be, in seeds.
     */
    int8_t upper;
    /*
     Moves in `pv`, at least 1.
     */
    uint16_t pv_length;
    /*
     The best moves of both sides as pits 0 to 5 of whoever moves; the first KROU_MAX_PV
     of them.
     */
    uint8_t pv[KROU_MAX_PV];
} krou_line;

/*
 The result of a search, or of one of its depths.
 */
typedef struct krou_report {
    /*
     sizeof(krou_report).
     */
    size_t size;
    /*
     Nodes searched.
     */
    uint64_t nodes;
    /*
     Boards of the search that the tables knew.
     */
    uint64_t table_hits;
    /*
     Microseconds since the search began.
     */
    uint64_t time_us;
    /*
     The deepest ply that was searched.
     */
    uint32_t selective_depth;
    /*
     How much of the transposition table this search has filled, in thousandths.
     */
    uint32_t hash_full;
    /*
     Other pits that are as good as the best move, bit n for pit n; only if the move
     comes from tables alone.
     */
    uint32_t ties;
    /*
     Lines below, at least 1.
     */
    uint32_t line_count;
    /*
     The best move first.
     */
    struct krou_line lines[KROU_MAX_MOVES];
} krou_report;

/*
 Called by `krou_search` on its own thread after each finished depth, and when the score
 leaves the window of the search. `report` is valid during the call; `user` is that of
 the limits. Returns 0 to go on, or another number to stop the search. It must return:
 no longjmp and no C++ exception may leave it.
 */
typedef int (*krou_on_report)(const struct krou_report *report, void *user);

/*
 When a search ends: at the first limit that it reaches. Fill it with zeros and set
 `size`: a limit of 0 is none.
 */
typedef struct krou_limits {
    /*
     sizeof(krou_limits).
     */
    size_t size;
    /*
     Nodes of all threads together.
     */
    uint64_t nodes;
    /*
     Milliseconds from the start of the search.
     */
    uint64_t time_ms;
    /*
     Milliseconds that the search should take. It may end earlier if the best move is
     clear, and later, within `time_ms`, if it is not.
     */
    uint64_t target_ms;
    /*
     Depth in plies, at most 255.
     */
    uint32_t depth;
    /*
     How many moves to report with their scores (MultiPV), at most 6; 0 counts as 1.
     */
    uint32_t lines;
    /*
     The pits to search, bit n for pit n; 0: all.
     */
    uint32_t pits;
    /*
     1: a proven win ends the search.
     */
    int until_win;
    /*
     Another thread may request this to stop; may be null.
     */
    const struct krou_stop *stop;
    /*
     Called after each finished depth; may be null.
     */
    krou_on_report on_report;
    /*
     Passed to `on_report`.
     */
    void *user;
} krou_limits;

/*
 What playing one pit does.
 */
typedef struct krou_step {
    /*
     The pit played, 0 to 5.
     */
    uint8_t pit;
    /*
     Seeds taken by a capture.
     */
    uint8_t captured;
    /*
     Net seeds that the mover takes by this step: captures, seeds sown into the store,
     and what the end of the game gives either side; -48 to 48.
     */
    int8_t gain;
    /*
     Who moves next: KROU_NEXT_OPPONENT, KROU_NEXT_AGAIN or KROU_NEXT_OVER.
     */
    uint8_t next;
    /*
     The board as the next player sees it; empty if the step ends the game.
     */
    uint8_t board[KROU_PITS];
} krou_step;

/*
 Single choices on top of a ruleset of the oware family, in the words of the command
 line. A null pointer keeps the ruleset's own choice. Fill it with zeros and set `size`.
 */
typedef struct krou_choices {
    /*
     sizeof(krou_choices).
     */
    size_t size;
    /*
     What a grand slam does: "forced", "nothing", "illegal" or "all".
     */
    const char *grand_slam;
    /*
     What a move does that leaves the opponent no seeds without capturing: "required"
     (it is illegal) or "penalty".
     */
    const char *feeding;
    /*
     Who takes the seeds left when the mover has no legal move: "owner" or "nobody".
     */
    const char *leftovers;
    /*
     What endless play is worth: "even", "nobody", "by-side" or "open".
     */
    const char *endless;
} krou_choices;

/*
 How to open tables. Fill it with zeros and set `size`: zero is the default of each
 field.
 */
typedef struct krou_open_options {
    /*
     sizeof(krou_open_options).
     */
    size_t size;
    /*
     Bytes of memory for decoded parts of tables; 0: 64 MiB.
     */
    uint64_t cache_bytes;
    /*
     Bytes of memory for layers that are loaded whole before the call returns, from 0
     seeds on, as far as they fit; 0: none.
     */
    uint64_t table_memory;
    /*
     1: map the files into memory instead of reading them. Nobody may change or truncate
     them while the tables are open, or the program may crash.
     */
    int mapped;
    /*
     1: use the folders alone, without the built-in tables.
     */
    int without_built_in;
    /*
     A folder that keeps what was read from web hosts, at most 256 MiB; null: none. It is a
     path as krou_open takes them, and is made if it is not there.
     */
    const char *cache;
    /*
     1: allow plain http to other machines, by which anybody on the way can alter tables.
     */
    int insecure;
} krou_open_options;

/*
 What a board is worth to the player to move. A field that is not known is 0.
 */
typedef struct krou_result {
    /*
     Net seeds, from -48 to 48. Where `lower` and `upper` differ, it lies between them.
     */
    int8_t value;
    /*
     The value if a repetition is stopped where that is worst for the mover.
     */
    int8_t lower;
    /*
     The value if a repetition is stopped where that is best for the mover.
     */
    int8_t upper;
    /*
     Plies to the next conversion (a capture, a seed in a store, or the end); 0 if the
     game is over. Not known without a distance table, and where the value is 0 or only a
     loop attains it.
     */
    int16_t distance;
    /*
     What is known: a sum of KROU_KNOWN_VALUE, KROU_KNOWN_BOUNDS and
     KROU_KNOWN_DISTANCE.
     */
    uint32_t known;
} krou_result;

/*
 A legal move with what it is worth to the mover.
 */
typedef struct krou_move {
    /*
     The move.
     */
    struct krou_step step;
    /*
     What the whole move is worth, captures included; nothing is known if a layer is
     missing. The distance counts from the board before the move: 1 for a conversion.
     */
    struct krou_result result;
} krou_move;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Reads a board from text: twelve numbers, such as "1 1 1 1 1 2 / 4 2 3 0 0 0", or a
 position in the notation of oware engines, whose board is kept.

 PARAMETERS
   from     the text
   board    becomes twelve pits, the mover's row first; unchanged on failure

 RETURN
   KROU_OK; KROU_E_BOARD if the text is no board, and krou_last_error names the wrong
   part; KROU_E_TEXT; KROU_E_NULL.

 THREADS
   Any thread may call it at any time.
 */
int krou_parse_board(const char *from, uint8_t board[12]);

/*
 Writes a board as text, such as "1 1 1 1 1 2 / 4 2 3 0 0 0".

 PARAMETERS
   board    twelve pits, the mover's row first
   out      becomes the text; may be null if `size` is 0
   size     bytes of memory at `out`; KROU_MAX_TEXT are enough
   needed   becomes the bytes that the text takes with its null byte; may be null

 RETURN
   KROU_OK; KROU_E_BOARD if there are more than 48 seeds; KROU_E_BUFFER if `size` is too
   small; KROU_E_NULL.

 THREADS
   Any thread may call it at any time.
 */
int krou_format_board(const uint8_t board[12], char *out, size_t size, size_t *needed);

/*
 Reads a position from text: "h1-...-h12-south-north-S" (or "-N"), the notation of oware
 engines, with South's pits first whoever is to move; or a board alone, with empty stores
 and South to move.

 PARAMETERS
   from      the text
   position  becomes the position; unchanged on failure
   size      sizeof(krou_position)

 RETURN
   KROU_OK; KROU_E_BOARD if the text is no position, and krou_last_error names the wrong
   part; KROU_E_SIZE; KROU_E_TEXT; KROU_E_NULL.

 THREADS
   Any thread may call it at any time.
 */
int krou_parse_position(const char *from,
                        struct krou_position *position,
                        size_t size);

/*
 Writes a position in the notation of oware engines.

 PARAMETERS
   position  the position
   out       becomes the text; may be null if `size` is 0
   size      bytes of memory at `out`; KROU_MAX_TEXT are enough
   needed    becomes the bytes that the text takes with its null byte; may be null

 RETURN
   KROU_OK; KROU_E_BOARD if the board has more than 48 seeds; KROU_E_ARGUMENT;
   KROU_E_BUFFER if `size` is too small; KROU_E_NULL.

 THREADS
   Any thread may call it at any time.
 */
int krou_format_position(const struct krou_position *position,
                         char *out,
                         size_t size,
                         size_t *needed);

/*
 Solves all layers up to a number of seeds that a folder does not have yet, and writes
 their tables.

 PARAMETERS
   rules    name of the ruleset; null: "awari"
   folder   the folder of tables, as in krou_open; it is created if it does not exist
   seeds    the highest layer, at most 48
   options  the options; null: the defaults

 RETURN
   KROU_OK; KROU_E_STOPPED if it was stopped; KROU_E_FOLDER if the folder cannot be
   written; KROU_E_BUSY if another build is at work there; KROU_E_MEMORY if a layer does
   not fit into the memory, before any work; KROU_E_TABLE if a table cannot be read or
   written; KROU_E_ARGUMENT; KROU_E_RULES; KROU_E_SIZE; KROU_E_TEXT; KROU_E_NULL.

 NOTES
   A layer appears in the folder only when it is complete. Finished layers stay whatever
   happens, and the next call resumes after them. Tables that are open do not notice new
   layers: open the folder again. A stop by `on_progress` counts as a request of
   `options->stop`, too.

 THREADS
   Any thread may call it at any time, for different folders. `options->on_progress` is
   called by the thread that calls this function.
 */
int krou_build(const char *rules,
               const char *folder,
               uint32_t seeds,
               const struct krou_build_options *options);

/*
 Opens an engine, which searches for the best move and probes tables for every board
 that they have.

 PARAMETERS
   rules    name of the ruleset; null: that of the tables, or "awari" without tables
   tables   from krou_open, of the same ruleset; null: none
   options  the options; null: the defaults
   out      becomes the engine, to be closed with krou_engine_close; null on failure

 RETURN
   KROU_OK; KROU_E_RULES if there is no such ruleset, or the tables are of another one;
   KROU_E_ARGUMENT if an option is out of its range; KROU_E_MEMORY if the transposition
   table does not fit into the memory; KROU_E_SIZE; KROU_E_TEXT; KROU_E_NULL.

 NOTES
   The engine has a share of the tables: `tables` may be closed before it.

 THREADS
   Threads may share `tables`. The engine is for one search at a time: a second call at
   the same moment gets KROU_E_BUSY.
 */
int krou_engine_open(const char *rules,
                     const struct krou_tablebase *tables,
                     const struct krou_engine_options *options,
                     struct krou_engine **out);

/*
 Closes an engine.

 PARAMETERS
   engine   from krou_engine_open; null does nothing

 THREADS
   No other thread may be using the engine, and none may use it afterwards: stop its
   search first, and wait until it has returned.
 */
void krou_engine_close(struct krou_engine *engine);

/*
 Searches for the best move.

 PARAMETERS
   engine    from krou_engine_open
   position  the position before `moves`
   moves     the moves played since, as pits 0 to 5 of whoever moves, so that the engine
             knows which boards have occurred; may be null if `count` is 0
   count     how many moves there are
   limits    when the search ends
   report    becomes the result; unchanged on failure
   size      sizeof(krou_report)

 RETURN
   KROU_OK; KROU_E_OVER if the game is over; KROU_E_MOVE if one of `moves` is illegal;
   KROU_E_BOARD if the position has more than 48 seeds; KROU_E_ARGUMENT if a limit is
   out of its range, or the search would never end; KROU_E_BUSY; KROU_E_SIZE;
   KROU_E_NULL.

 NOTES
   However short the time, there is a move. With one thread, and limits of depth or
   nodes alone, a new engine gives the same report for the same game. Results of earlier
   searches help the next one; krou_engine_clear forgets them. A stop by `on_report`
   counts as a request of `limits->stop`, too.

 THREADS
   One at a time. `limits->on_report` is called by the thread that calls this function.
 */
int krou_search(const struct krou_engine *engine,
                const struct krou_position *position,
                const uint8_t *moves,
                size_t count,
                const struct krou_limits *limits,
                struct krou_report *report,
                size_t size);

/*
 Forgets the results of earlier searches, as before a new game.

 PARAMETERS
   engine   from krou_engine_open

 RETURN
   KROU_OK, KROU_E_BUSY, KROU_E_NULL.

 THREADS
   One at a time.
 */
int krou_engine_clear(const struct krou_engine *engine);

/*
 Says whether tables have failed. The engine plays on without them, but weaker.

 PARAMETERS
   engine   from krou_engine_open
   count    becomes the number of probes that failed because a table is damaged or
            cannot be read
   first    becomes the first error as text, empty if there is none; null: not wanted
   size     bytes of memory at `first`
   needed   becomes the bytes that the text takes with its null byte; may be null

 RETURN
   KROU_OK; KROU_E_BUFFER if `size` is too small, with `count` written; KROU_E_BUSY;
   KROU_E_NULL.

 THREADS
   One at a time.
 */
int krou_engine_table_errors(const struct krou_engine *engine,
                             uint64_t *count,
                             char *first,
                             size_t size,
                             size_t *needed);

/*
 Returns the ABI version of the library that the program runs with.

 RETURN
   KROU_ABI_VERSION of the library's own header. A program that loads the library itself
   compares it with the one that it was compiled with; the linker does so for others.

 THREADS
   Any thread may call it at any time.
 */
uint32_t krou_abi_version(void);

/*
 Returns the version of the library, such as "0.1.0".

 RETURN
   A text that is valid until the end of the program.

 THREADS
   Any thread may call it at any time.
 */
const char *krou_version(void);

/*
 Says what went wrong in the last call of this thread that failed.

 RETURN
   One sentence in UTF-8: what is wrong, where, and what to do. It is never null; before
   the first failure it is empty. It is valid until the next call of this thread that
   fails, and until the thread ends.

 NOTES
   Successful calls do not change it: look at the code first.

 THREADS
   Each thread has its own.
 */
const char *krou_last_error(void);

/*
 Returns the name of a code, such as "KROU_E_BOARD".

 PARAMETERS
   code    what a function has returned

 RETURN
   A text that is valid until the end of the program; null if there is no such code.

 THREADS
   Any thread may call it at any time.
 */
const char *krou_code_name(int code);

/*
 Says which pits may be played on each of many boards.

 PARAMETERS
   rules    from krou_rules_open
   boards   `count` boards of twelve pits, one after another
   count    how many boards there are; 0 is allowed
   masks    becomes a byte for each board: bit n is set if pit n may be played; 0 if the
            game is over. It must not overlap `boards`

 RETURN
   KROU_OK; KROU_E_BOARD, with no mask written; KROU_E_NULL; KROU_E_ARGUMENT.

 THREADS
   Threads may share `rules`.
 */
int krou_legal_masks(const struct krou_rules *rules,
                     const uint8_t *boards,
                     size_t count,
                     uint8_t *masks);

/*
 Plays a pit on each of many boards.

 PARAMETERS
   rules    from krou_rules_open
   boards   `count` boards of twelve pits, one after another
   pits     the pit to play on each board, 0 to 5
   count    how many boards there are; 0 is allowed
   steps    becomes what each move does, the captured seeds left out: `captured` is 0. It
            must not overlap `boards` and `pits`
   size     sizeof(krou_step)

 RETURN
   KROU_OK; KROU_E_MOVE if a move is illegal, and krou_last_error names the first such
   board; KROU_E_BOARD; KROU_E_SIZE; KROU_E_NULL; KROU_E_ARGUMENT. On failure nothing is
   written.

 THREADS
   Threads may share `rules`.
 */
int krou_play_many(const struct krou_rules *rules,
                   const uint8_t *boards,
                   const uint8_t *pits,
                   size_t count,
                   struct krou_step *steps,
                   size_t size);

/*
 Says how many boards a layer has. Their indexes are the numbers below that.

 PARAMETERS
   rules    from krou_rules_open
   seeds    the number of seeds of the layer, at most 48
   boards   becomes the number of boards

 RETURN
   KROU_OK, KROU_E_ARGUMENT, KROU_E_NULL.

 THREADS
   Threads may share `rules`.
 */
int krou_layer_size(const struct krou_rules *rules, uint32_t seeds, uint64_t *boards);

/*
 Gives the index of each of many boards in its layer.

 PARAMETERS
   rules    from krou_rules_open
   boards   `count` boards of twelve pits, one after another
   count    how many boards there are; 0 is allowed
   indexes  becomes the index of each board; KROU_NO_INDEX if no move leads to it, so
            that it has none. It must not overlap `boards`

 RETURN
   KROU_OK, KROU_E_BOARD, KROU_E_NULL, KROU_E_ARGUMENT.

 THREADS
   Threads may share `rules`.
 */
int krou_index_of(const struct krou_rules *rules,
                  const uint8_t *boards,
                  size_t count,
                  uint64_t *indexes);

/*
 Gives the boards with some indexes of a layer, such as random ones.

 PARAMETERS
   rules    from krou_rules_open
   seeds    the number of seeds of the layer, at most 48
   indexes  `count` numbers below krou_layer_size
   count    how many there are; 0 is allowed
   boards   becomes `count` boards of twelve pits, one after another. It must not overlap
            `indexes`

 RETURN
   KROU_OK; KROU_E_ARGUMENT if a number is too large, with no board written; KROU_E_NULL.

 THREADS
   Threads may share `rules`.
 */
int krou_board_at(const struct krou_rules *rules,
                  uint32_t seeds,
                  const uint64_t *indexes,
                  size_t count,
                  uint8_t *boards);

/*
 Probes the values of many boards, in parallel, without anything else.

 PARAMETERS
   tables   from krou_open
   boards   `count` boards of twelve pits, one after another
   count    how many boards there are; 0 is allowed
   values   becomes the value of each board, 0 for one with an error. It must not
            overlap `boards`
   codes    becomes the code that krou_probe would return for each board; may be null

 RETURN
   As krou_probe_many, except that a board with too many seeds is an error of the call:
   KROU_E_BOARD, with nothing written.

 THREADS
   Threads may share `tables`.
 */
int krou_probe_values(const struct krou_tablebase *tables,
                      const uint8_t *boards,
                      size_t count,
                      int8_t *values,
                      int *codes);

/*
 Values the moves of many boards, in parallel.

 PARAMETERS
   tables   from krou_open
   boards   `count` boards of twelve pits, one after another
   count    how many boards there are; 0 is allowed
   values   becomes six values for each board: what playing each pit is worth to the
            mover, 0 where that is not known. It must not overlap `boards`
   masks    becomes a byte for each board: bit n is set if the value of pit n is known,
            that is if the move is legal and no table is missing. It must not overlap the
            others

 RETURN
   KROU_OK; KROU_E_BOARD; KROU_E_TABLE if a table is damaged; KROU_E_NULL;
   KROU_E_ARGUMENT. On failure nothing is written.

 THREADS
   Threads may share `tables`.
 */
int krou_moves_many(const struct krou_tablebase *tables,
                    const uint8_t *boards,
                    size_t count,
                    int8_t *values,
                    uint8_t *masks);

/*
 Returns the name of a named ruleset.

 PARAMETERS
   index    0 for the default, "awari", and on from there

 RETURN
   A text that is valid until the end of the program; null if there are no more.

 THREADS
   Any thread may call it at any time.
 */
const char *krou_ruleset_name(size_t index);

/*
 Writes the name of a ruleset with other choices. All functions with a parameter `rules`
 accept it.

 PARAMETERS
   rules    name of a ruleset; null: "awari"
   choices  the choices that differ from the ruleset's own; null: none
   out      becomes the name; may be null if `size` is 0
   size     bytes of memory at `out`; KROU_MAX_TEXT are enough
   needed   becomes the bytes that the name takes with its null byte; may be null

 RETURN
   KROU_OK; KROU_E_RULES if there is no such ruleset or choice, or the ruleset belongs to
   the store family, which has no choices; KROU_E_BUFFER if `size` is too small;
   KROU_E_SIZE; KROU_E_TEXT; KROU_E_NULL.

 NOTES
   The name is that of a named ruleset with the same choices if there is one: "awari"
   with the choice "by-side" of endless play is "awale".

 THREADS
   Any thread may call it at any time.
 */
int krou_ruleset(const char *rules,
                 const struct krou_choices *choices,
                 char *out,
                 size_t size,
                 size_t *needed);

/*
 Opens a ruleset, so that its name is read once.

 PARAMETERS
   rules    name of the ruleset; null: "awari"
   out      becomes the ruleset, to be closed with krou_rules_close; null on failure

 RETURN
   KROU_OK, KROU_E_RULES, KROU_E_TEXT, KROU_E_NULL.

 THREADS
   Any thread may call it at any time.
 */
int krou_rules_open(const char *rules, struct krou_rules **out);

/*
 Closes a ruleset.

 PARAMETERS
   rules    from krou_rules_open; null does nothing

 THREADS
   No other thread may be using the ruleset, and none may use it afterwards.
 */
void krou_rules_close(struct krou_rules *rules);

/*
 Lists the legal moves of a board, without tables, by pit.

 PARAMETERS
   rules    from krou_rules_open
   board    twelve pits, the mover's row first
   steps    memory for KROU_MAX_MOVES steps
   size     sizeof(krou_step)
   count    becomes the number of moves; 0 if the game is over

 RETURN
   KROU_OK, KROU_E_BOARD, KROU_E_SIZE, KROU_E_NULL.

 THREADS
   Threads may share `rules`.
 */
int krou_rules_moves(const struct krou_rules *rules,
                     const uint8_t board[12],
                     struct krou_step *steps,
                     size_t size,
                     size_t *count);

/*
 Plays one pit.

 PARAMETERS
   rules    from krou_rules_open
   board    twelve pits, the mover's row first
   pit      the pit to play, 0 to 5
   step     becomes what the move does; unchanged on failure
   size     sizeof(krou_step)

 RETURN
   KROU_OK; KROU_E_MOVE if the move is illegal, and krou_last_error says why;
   KROU_E_BOARD; KROU_E_SIZE; KROU_E_NULL.

 THREADS
   Threads may share `rules`.
 */
int krou_rules_play(const struct krou_rules *rules,
                    const uint8_t board[12],
                    uint8_t pit,
                    struct krou_step *step,
                    size_t size);

/*
 Says whether the game is over because the mover has no legal move.

 PARAMETERS
   rules    from krou_rules_open
   board    twelve pits, the mover's row first
   over     becomes 1 if the mover has no legal move, else 0
   value    becomes what that is worth to the mover, else 0; may be null

 RETURN
   KROU_OK, KROU_E_BOARD, KROU_E_NULL.

 THREADS
   Threads may share `rules`.
 */
int krou_rules_over(const struct krou_rules *rules,
                    const uint8_t board[12],
                    int *over,
                    int8_t *value);

/*
 Opens an object by which one thread requests another one's search or build to stop.

 PARAMETERS
   out      becomes the object, without a request, to be closed with krou_stop_close;
            null on failure

 RETURN
   KROU_OK, KROU_E_NULL.

 NOTES
   Name it in the limits of a search or the options of a build. A request before it
   begins ends it at once. It stays until krou_stop_reset, so that none is lost.

 THREADS
   Any thread may call it at any time.
 */
int krou_stop_open(struct krou_stop **out);

/*
 Requests to stop.

 PARAMETERS
   stop     from krou_stop_open

 RETURN
   KROU_OK, KROU_E_NULL.

 NOTES
   A search ends within milliseconds and returns the best move found so far. A build ends
   within a second, and its finished layers stay.

 THREADS
   Threads may share `stop`.
 */
int krou_stop_request(const struct krou_stop *stop);

/*
 Takes the request back, before the next search or build.

 PARAMETERS
   stop     from krou_stop_open

 RETURN
   KROU_OK, KROU_E_NULL.

 THREADS
   Threads may share `stop`.
 */
int krou_stop_reset(const struct krou_stop *stop);

/*
 Closes the object.

 PARAMETERS
   stop     from krou_stop_open; null does nothing

 NOTES
   A search or build that has begun keeps a share of it.

 THREADS
   No other thread may be using this handle, and none may use it afterwards.
 */
void krou_stop_close(struct krou_stop *stop);

/*
 Opens the tables of a ruleset.

 PARAMETERS
   rules    name of the ruleset, such as "awari", or a name that krou_ruleset has
            written; null: "awari"
   folders  folders of tables: bytes as the system has them on Unix, else UTF-8, or the
            addresses of folders on web hosts, "https://..."; the first one that has
            a table counts. May be null if `count` is 0
   count    how many folders there are; 0: the built-in tables alone, such as those
            of awari up to 9 seeds
   out      becomes the tables, to be closed with krou_close; null on failure

 RETURN
   KROU_OK; KROU_E_RULES: no such ruleset; KROU_E_FOLDER: no such folder; KROU_E_TABLE: a
   host sends no index, or a table to load is damaged; KROU_E_TEXT; KROU_E_NULL.

 NOTES
   The built-in tables answer where no folder has a table. All headers are read at
   once; entries are read when they are probed. Files of other rulesets are ignored.
   A table that cannot be opened closes no other one: krou_damaged_tables names it, and
   boards that need it get KROU_E_TABLE.

 THREADS
   Any thread may call it at any time.
 */
int krou_open(const char *rules,
              const char *const *folders,
              size_t count,
              struct krou_tablebase **out);

/*
 As krou_open, with options.

 PARAMETERS
   rules    as krou_open
   folders  as krou_open
   count    as krou_open
   options  the options; null: as krou_open
   out      as krou_open

 RETURN
   As krou_open; KROU_E_SIZE if `options->size` is wrong.

 NOTES
   With `mapped`, a probe of tables of the codec `raw` is one load from memory. Others
   are decoded as without it.
   With `table_memory`, a probe of the layers that are loaded is one load, whatever the
   codec; distances still come from their tables. A board takes one byte, two with
   bounds and more than 21 seeds.
   Loading takes two to four times as much memory, and a second for tens of millions of boards.

 THREADS
   Any thread may call it at any time.
 */
int krou_open_with(const char *rules,
                   const char *const *folders,
                   size_t count,
                   const struct krou_open_options *options,
                   struct krou_tablebase **out);

/*
 Closes tables.

 PARAMETERS
   tables   from krou_open; null does nothing

 NOTES
   Engines keep their share of the tables and stay usable.

 THREADS
   No other thread may be using this handle, and none may use it afterwards.
 */
void krou_close(struct krou_tablebase *tables);

/*
 Says which layers the tables have.

 PARAMETERS
   tables   from krou_open
   layers   becomes a set of layers: bit n is set if the values of all boards with n
            seeds are there

 RETURN
   KROU_OK, KROU_E_NULL.

 THREADS
   Threads may share `tables`.
 */
int krou_layers(const struct krou_tablebase *tables, uint64_t *layers);

/*
 Says which tables of the folders could not be opened.

 PARAMETERS
   tables   from krou_open
   count    becomes their number
   out      becomes a line for each: the file, what is wrong with it and what to do; null:
            not wanted
   size     bytes of memory at `out`
   needed   becomes the bytes that the lines take with their null byte; may be null

 RETURN
   KROU_OK; KROU_E_BUFFER if `size` is too small, with `count` written; KROU_E_NULL.

 THREADS
   Threads may share `tables`.
 */
int krou_damaged_tables(const struct krou_tablebase *tables,
                        size_t *count,
                        char *out,
                        size_t size,
                        size_t *needed);

/*
 Writes the name of the tables' ruleset.

 PARAMETERS
   tables   from krou_open
   out      becomes the name; may be null if `size` is 0
   size     bytes of memory at `out`
   needed   becomes the bytes that the name takes with its null byte; may be null

 RETURN
   KROU_OK; KROU_E_BUFFER if `size` is too small; KROU_E_NULL.

 THREADS
   Threads may share `tables`.
 */
int krou_tables_ruleset(const struct krou_tablebase *tables,
                        char *out,
                        size_t size,
                        size_t *needed);

/*
 Probes a board: what is it worth to the player to move?

 PARAMETERS
   tables   from krou_open
   board    twelve pits, the mover's row first, both rows in sowing order
   out      becomes the result; on failure nothing in it is known

 RETURN
   KROU_OK; KROU_E_BOARD if there are more than 48 seeds; KROU_E_MISSING if no table has
   the board's layer; KROU_E_TABLE if a table is damaged; KROU_E_NULL.

 NOTES
   A value counts the seeds on the board now: those that the mover still takes minus
   those that the opponent still takes, with best play by both. For many boards at once
   krou_probe_many is faster.

 THREADS
   Threads may share `tables`.
 */
int krou_probe(const struct krou_tablebase *tables,
               const uint8_t board[12],
               struct krou_result *out);

/*
 Probes the value of a board alone: the fastest call of a search.

 PARAMETERS
   tables   from krou_open
   board    twelve pits, the mover's row first
   value    becomes the value; unchanged on failure

 RETURN
   As krou_probe, which also finds distances and bounds.

 THREADS
   Threads may share `tables`.
 */
int krou_value(const struct krou_tablebase *tables,
               const uint8_t board[12],
               int8_t *value);

/*
 Probes many boards, in parallel.

 PARAMETERS
   tables   from krou_open
   boards   `count` boards of twelve pits, one after another
   count    how many boards there are; 0 is allowed
   out      `count` results, in the order of the boards; nothing is known in those of
            boards with an error. It must not overlap `boards`
   codes    becomes the code that krou_probe would return for each board; may be null

 RETURN
   KROU_OK if all boards have a result; else the code of the first one that has none,
   which krou_last_error then names. All others are answered nevertheless. KROU_E_NULL
   and KROU_E_ARGUMENT are about the call itself: then nothing is written.

 NOTES
   It uses one thread for each core, or as many as the environment variable
   RAYON_NUM_THREADS says. Where tables are read it is faster than a loop also with
   one thread: boards are probed in the order of the tables.

 THREADS
   Threads may share `tables`.
 */
int krou_probe_many(const struct krou_tablebase *tables,
                    const uint8_t *boards,
                    size_t count,
                    struct krou_result *out,
                    int *codes);

/*
 Lists the legal moves of a board with what each is worth, best first.

 PARAMETERS
   tables   from krou_open
   board    twelve pits, the mover's row first
   moves    memory for KROU_MAX_MOVES moves
   size     sizeof(krou_move)
   count    becomes the number of moves; 0 if the game is over

 RETURN
   KROU_OK; KROU_E_BOARD; KROU_E_TABLE if a table is damaged; KROU_E_SIZE; KROU_E_NULL.

 NOTES
   Moves are ordered by value; among equals the shortest way to a win comes first, the
   longest to a loss. Moves whose layer is missing come last, with nothing known: that
   is not an error here.

 THREADS
   Threads may share `tables`.
 */
int krou_moves(const struct krou_tablebase *tables,
               const uint8_t board[12],
               struct krou_move *moves,
               size_t size,
               size_t *count);

/*
 Follows the best moves of both sides.

 PARAMETERS
   tables    from krou_open
   board     twelve pits, the mover's row first
   steps     memory for `capacity` steps; each is a move on the board of the step before
             it. May be null if `capacity` is 0
   size      sizeof(krou_step)
   capacity  the most moves to follow
   count     becomes the number of moves
   end       becomes the reason why the line ends: KROU_END_OVER, KROU_END_LOOP,
             KROU_END_MISSING or KROU_END_LENGTH; may be null

 RETURN
   KROU_OK; KROU_E_BOARD; KROU_E_TABLE if a table is damaged; KROU_E_SIZE;
   KROU_E_ARGUMENT; KROU_E_NULL.

 NOTES
   With distance tables each move of the winner leads nearer to a capture. Without them
   moves that do not lead back to an earlier board are preferred.

 THREADS
   Threads may share `tables`.
 */
int krou_best_line(const struct krou_tablebase *tables,
                   const uint8_t board[12],
                   struct krou_step *steps,
                   size_t size,
                   size_t capacity,
                   size_t *count,
                   int *end);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KROU_H */
