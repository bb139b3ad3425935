/* Lists of numbers without an end, which live longer than a rule. */

#include <stdlib.h>

typedef struct {
    int64_t *items;
    int64_t count, room;
} Growing;

static int append_to(Growing *list, int64_t number) {
    if (list->count == list->room) {
        int64_t room = 2 * list->room + 16;
        int64_t *items = realloc(list->items, room * sizeof(int64_t));
        if (!items)
            return -1;
        list->items = items;
        list->room = room;
    }
    list->items[list->count++] = number;
    return 0;
}
