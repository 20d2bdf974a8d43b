// Opens tables, probes a board, lists its moves and follows the best line, in C++.
//
//     probe [BOARD [RULES [FOLDER]...]]

#include <krou.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// A failed call as an exception.
void check(int code) {
    if (code != KROU_OK) throw std::runtime_error(krou_last_error());
}

struct Close {
    void operator()(krou_tablebase *tables) const { krou_close(tables); }
};
using Tables = std::unique_ptr<krou_tablebase, Close>;

Tables open(const std::string &rules, const std::vector<const char *> &folders) {
    krou_tablebase *tables = nullptr;
    check(krou_open(rules.c_str(), folders.data(), folders.size(), &tables));
    return Tables(tables);
}

void run(int count, char **arguments) {
    const std::string text = count > 1 ? arguments[1] : "0 1 1 0 2 2 / 0 1 0 1 1 0";
    const std::string rules = count > 2 ? arguments[2] : "awari";
    std::vector<const char *> folders;
    for (int i = 3; i < count; i++) folders.push_back(arguments[i]);
    const Tables tables = open(rules, folders);

    std::uint8_t board[12];
    check(krou_parse_board(text.c_str(), board));
    krou_result result;
    check(krou_probe(tables.get(), board, &result));
    std::cout << "value " << int(result.value);
    if (result.known & KROU_KNOWN_DISTANCE) std::cout << ", distance " << result.distance;
    if (result.known & KROU_KNOWN_BOUNDS) {
        std::cout << ", bounds " << int(result.lower) << " to " << int(result.upper);
    }
    std::cout << '\n';

    krou_move moves[KROU_MAX_MOVES];
    std::size_t found;
    check(krou_moves(tables.get(), board, moves, sizeof moves[0], &found));
    for (std::size_t i = 0; i < found; i++) {
        std::cout << "pit " << int(moves[i].step.pit) << ": ";
        if (moves[i].result.known & KROU_KNOWN_VALUE) {
            std::cout << int(moves[i].result.value) << '\n';
        } else {
            std::cout << "not known\n";
        }
    }

    std::vector<krou_step> line(10);
    check(krou_best_line(tables.get(), board, line.data(), sizeof line[0], line.size(), &found,
                         nullptr));
    std::cout << "best line:";
    for (std::size_t i = 0; i < found; i++) std::cout << ' ' << int(line[i].pit);
    std::cout << '\n';
}

}  // namespace

int main(int count, char **arguments) {
    try {
        run(count, arguments);
    } catch (const std::exception &error) {
        std::cerr << "probe: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
