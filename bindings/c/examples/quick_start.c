#include <krou.h>
#include <stdio.h>

int main(void) {
    const uint8_t board[12] = {0, 1, 1, 0, 2, 2, /* the opponent: */ 0, 1, 0, 1, 1, 0};
    krou_tablebase *tables;
    krou_result result;
    int code = krou_open("awari", NULL, 0, &tables);
    if (code == KROU_OK) code = krou_probe(tables, board, &result);
    if (code == KROU_OK) printf("value %d, capture in %d plies\n", result.value, result.distance);
    else fprintf(stderr, "%s\n", krou_last_error());
    krou_close(tables);
    return code;
}
