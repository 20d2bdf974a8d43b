// Several threads probe one handle, from C++: each gets the results that the library has
// written to a file.
//
//     threads FILE FOLDER
//
// Each line of the file: twelve pits, then value, lower, upper, distance and known.

#include "check.h"

#include <array>
#include <fstream>
#include <thread>
#include <vector>

namespace {

struct Expected {
    std::array<std::uint8_t, 12> board;
    krou_result result;
};

std::vector<Expected> read(const char *path) {
    std::ifstream file(path);
    std::vector<Expected> all;
    for (;;) {
        Expected one;
        std::array<int, 16> numbers;
        for (int &number : numbers) file >> number;
        unsigned known;
        file >> known;
        if (!file) return all;
        for (std::size_t i = 0; i < 12; i++) one.board[i] = static_cast<std::uint8_t>(numbers[i]);
        one.result.value = static_cast<std::int8_t>(numbers[12]);
        one.result.lower = static_cast<std::int8_t>(numbers[13]);
        one.result.upper = static_cast<std::int8_t>(numbers[14]);
        one.result.distance = static_cast<std::int16_t>(numbers[15]);
        one.result.known = known;
        all.push_back(one);
    }
}

bool equal(const krou_result &a, const krou_result &b) {
    return a.value == b.value && a.lower == b.lower && a.upper == b.upper
        && a.distance == b.distance && a.known == b.known;
}

// Each thread begins elsewhere, so that they meet.
void probe_each(const krou_tablebase *tables, const std::vector<Expected> &all, std::size_t first) {
    for (std::size_t i = 0; i < all.size(); i++) {
        const Expected &one = all[(first + i) % all.size()];
        krou_result result;
        std::int8_t value;
        CHECK(krou_probe(tables, one.board.data(), &result) == KROU_OK);
        CHECK(equal(result, one.result));
        CHECK(krou_value(tables, one.board.data(), &value) == KROU_OK);
        CHECK(value == one.result.value);
    }
    // Each thread has its own last error.
    CHECK(krou_layers(tables, nullptr) == KROU_E_NULL);
    CHECK(strstr(krou_last_error(), "layers") != nullptr);
}

void probe_many(const krou_tablebase *tables, const std::vector<Expected> &all) {
    std::vector<std::uint8_t> boards;
    for (const Expected &one : all) boards.insert(boards.end(), one.board.begin(), one.board.end());
    std::vector<krou_result> results(all.size());
    std::vector<int> codes(all.size(), -1);
    CHECK(krou_probe_many(tables, boards.data(), all.size(), results.data(), codes.data()) == KROU_OK);
    for (std::size_t i = 0; i < all.size(); i++) {
        CHECK(codes[i] == KROU_OK && equal(results[i], all[i].result));
    }
}

}  // namespace

int main(int count, char **arguments) {
    if (count != 3) return 2;
    const std::vector<Expected> all = read(arguments[1]);
    CHECK(all.size() > 100);
    krou_tablebase *tables;
    const char *folders[1] = {arguments[2]};
    CHECK(krou_open("abapa", folders, 1, &tables) == KROU_OK);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 4; i++) {
        threads.emplace_back([&, i] { probe_each(tables, all, i * all.size() / 4); });
    }
    threads.emplace_back([&] { probe_many(tables, all); });
    for (std::thread &thread : threads) thread.join();
    // This thread has had no error.
    CHECK(strcmp(krou_last_error(), "") == 0);
    krou_close(tables);
    std::printf("threads: ok\n");
    return 0;
}
