/*
 * A small oware player: alpha-beta search that asks the tables as soon as they know the
 * board. It plays South's moves that it reads from standard input, one letter A to F a
 * line, and answers each as North; at the end of the input it plays on for both.
 *
 *     player [DEPTH [RULES [FOLDER]...]]
 *
 * examples/player.rs in the root of the repository is the same program in Rust.
 */

#include <krou.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PITS = 12, ROW = 6, MAX_DEPTH = 20, MAX_PLIES = 400, SEEDS = 48, INFINITE = 49 };

/* What the search needs. */
typedef struct {
    krou_rules *rules;
    krou_tablebase *tables;
    uint64_t layers; /* those that the tables have */
} player;

/* A game. `pits` is seen from the player to move. */
typedef struct {
    uint8_t pits[PITS];
    int north_to_move;
    int stores[2];
    uint8_t seen[MAX_PLIES][PITS]; /* the boards so far, to notice repetitions */
    int plies;
} game;

static void check(int code) {
    if (code != KROU_OK) {
        fprintf(stderr, "player: %s\n", krou_last_error());
        exit(1);
    }
}

static int seeds_on(const uint8_t *pits) {
    int seeds = 0;
    for (int pit = 0; pit < PITS; pit++) seeds += pits[pit];
    return seeds;
}

static int search(player *self, const uint8_t *pits, int depth, int alpha, int beta);

/* The value of a move: its gain, and what the rest is worth. */
static int step_value(player *self, const krou_step *step, int depth, int alpha, int beta) {
    switch (step->next) {
    case KROU_NEXT_OVER:
        return step->gain;
    case KROU_NEXT_AGAIN:
        return step->gain
             + search(self, step->board, depth, alpha - step->gain, beta - step->gain);
    default:
        return step->gain
             - search(self, step->board, depth, step->gain - beta, step->gain - alpha);
    }
}

/* Net seeds for the player to move: exact in tables, elsewhere as far as `depth` sees. */
static int search(player *self, const uint8_t *pits, int depth, int alpha, int beta) {
    if (self->layers >> seeds_on(pits) & 1) {
        int8_t value;
        check(krou_value(self->tables, pits, &value));
        return value;
    }
    krou_step steps[KROU_MAX_MOVES];
    size_t count;
    check(krou_rules_moves(self->rules, pits, steps, sizeof steps[0], &count));
    if (count == 0) {
        int over;
        int8_t value;
        check(krou_rules_over(self->rules, pits, &over, &value));
        return value;
    }
    if (depth == 0) return 0;
    int best = -INFINITE;
    for (size_t i = 0; i < count; i++) {
        int value = step_value(self, &steps[i], depth - 1, alpha, beta);
        if (value > best) best = value;
        if (best > alpha) alpha = best;
        if (alpha >= beta) break;
    }
    return best;
}

/* The first of the best moves, and its value. There must be one. */
static krou_step choose(player *self, const uint8_t *pits, int depth, int *best) {
    krou_step steps[KROU_MAX_MOVES], chosen;
    size_t count;
    memset(&chosen, 0, sizeof chosen);
    check(krou_rules_moves(self->rules, pits, steps, sizeof steps[0], &count));
    *best = -INFINITE;
    for (size_t i = 0; i < count; i++) {
        int value = step_value(self, &steps[i], depth - 1, *best, INFINITE);
        if (value > *best) {
            *best = value;
            chosen = steps[i];
        }
    }
    return chosen;
}

/* Makes a move. What leaves the board goes to both players so that the difference is the
 * gain. Returns whether the game goes on. */
static int play(game *game, const krou_step *step) {
    int left = seeds_on(game->pits) - seeds_on(step->board);
    int mover = game->north_to_move;
    game->stores[mover] += (left + step->gain) / 2;
    game->stores[!mover] += (left - step->gain) / 2;
    memcpy(game->pits, step->board, PITS);
    if (step->next == KROU_NEXT_OPPONENT) game->north_to_move = !mover;
    if (step->next == KROU_NEXT_OVER) return 0;
    return game->stores[0] <= SEEDS / 2 && game->stores[1] <= SEEDS / 2;
}

/* Whether the board has occurred twice before, with the same player to move. */
static int is_repeated(game *game) {
    int times = 0;
    for (int ply = game->plies - 2; ply >= 0; ply -= 2) {
        times += memcmp(game->seen[ply], game->pits, PITS) == 0;
    }
    memcpy(game->seen[game->plies], game->pits, PITS);
    return times >= 2;
}

/* Reads South's move; returns 0 at the end of the input. */
static int read_move(player *self, const game *game, krou_step *step) {
    char line[80];
    while (fgets(line, sizeof line, stdin)) {
        uint8_t pit = (uint8_t)(line[0] - 'A');
        if (krou_rules_play(self->rules, game->pits, pit, step, sizeof *step) == KROU_OK) return 1;
        printf("%s\n", krou_last_error());
    }
    return 0;
}

static void play_game(player *self, int depth) {
    static game game;
    int reads = 1;
    memset(game.pits, 4, sizeof game.pits);
    for (; game.plies < MAX_PLIES && !is_repeated(&game); game.plies++) {
        int over;
        int8_t rest;
        check(krou_rules_over(self->rules, game.pits, &over, &rest));
        if (over) {
            /* Who takes the seeds that are left is a choice of the rules. */
            int left = rest == 0 ? 0 : seeds_on(game.pits);
            game.stores[game.north_to_move] += (left + rest) / 2;
            game.stores[!game.north_to_move] += (left - rest) / 2;
            break;
        }
        krou_step step;
        int value;
        char letter = game.north_to_move ? 'a' : 'A';
        if (!game.north_to_move && reads) reads = read_move(self, &game, &step);
        if (game.north_to_move || !reads) {
            step = choose(self, game.pits, depth, &value);
            printf("%c %+d\n", letter + step.pit, value);
        }
        if (!play(&game, &step)) break;
    }
    printf("South %d, North %d\n", game.stores[0], game.stores[1]);
}

int main(int count, char **arguments) {
    int depth = count > 1 ? atoi(arguments[1]) : 8;
    player self;
    if (depth < 1 || depth > MAX_DEPTH) {
        fprintf(stderr, "player: the depth must be a whole number from 1 to %d\n", MAX_DEPTH);
        return 2;
    }
    const char *rules = count > 2 ? arguments[2] : "awari";
    size_t folders = count > 3 ? (size_t)count - 3 : 0;
    check(krou_rules_open(rules, &self.rules));
    check(krou_open(rules, (const char *const *)(arguments + 3), folders, &self.tables));
    check(krou_layers(self.tables, &self.layers));
    play_game(&self, depth);
    krou_close(self.tables);
    krou_rules_close(self.rules);
    return 0;
}
